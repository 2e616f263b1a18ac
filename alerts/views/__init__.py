"""The pages of alerts: the dashboard, the panel, the rules."""
