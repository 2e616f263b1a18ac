"""Builds the generated reference tables from pinned inputs: `python -m memory.library.building`."""
