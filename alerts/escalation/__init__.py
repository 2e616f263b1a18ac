"""What a team does about an alert that nobody acknowledges."""
