"""Bring facts in from files, and people from their bundles."""
