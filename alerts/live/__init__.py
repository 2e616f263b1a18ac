"""Open pages: who may keep one open, and what each is told at once."""
