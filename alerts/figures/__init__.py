"""Figures about alerts over weeks, of the people whom somebody may see."""
