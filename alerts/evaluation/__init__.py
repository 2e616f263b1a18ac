"""Evaluate a person: run the rules over the records and make the stored alerts what they found."""
