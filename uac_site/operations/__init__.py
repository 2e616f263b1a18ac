"""How the site is doing, for whoever runs it: probes, metrics, a page. No person is in it."""
