"""Answers of a language model, recorded once and given again: for the demo and the benchmarks.

A cassette holds answers and digests of what was asked, never what was asked itself.
"""
