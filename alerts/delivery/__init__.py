"""Tell others of alert events: webhooks and e-mail, each at least once, in the open."""
