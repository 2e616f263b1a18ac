"""Find what was said: words and vectors over a person's facts and messages."""
