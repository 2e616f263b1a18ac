"""Staff logins: passwords, second factor, sessions, and the pages to look after them."""
