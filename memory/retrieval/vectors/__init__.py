"""What texts mean, as vectors: optional, and never needed to find words.

The modules that compute (`bert`, `matrix`) need NumPy, the extra `vectors`; `embedder` imports them
only where vectors are configured.
"""
