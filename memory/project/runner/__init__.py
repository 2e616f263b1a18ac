"""Shipped with an exported project as `uac_runner`: runs its rules under plain CPython 3.11."""
