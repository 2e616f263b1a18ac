"""Run rules again, or on trial, over what was known then or is made up; nothing is stored."""

BUSY = "The sandbox is busy; try again in a moment."


class Busy(Exception):
    """The sandbox has no time for it at this moment."""
