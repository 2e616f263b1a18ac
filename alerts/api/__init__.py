"""The resources of alerts, one a file."""
