"""What waits for a person's decision, of whatever kind, as one list."""
