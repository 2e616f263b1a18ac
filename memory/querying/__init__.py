"""Questions in Python over a person's live state: checked, typed, run alone in the sandbox."""
