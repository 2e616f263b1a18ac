"""Example people of our own invention, each with a year of facts that ends today."""
