"""Run rules again, or on trial, over what was known then or is made up; nothing is stored."""


class Busy(Exception):
    """The sandbox has no time for it at this moment."""
