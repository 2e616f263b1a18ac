"""What the database tells of the site's state, the same from whichever process asks."""
