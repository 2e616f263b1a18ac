"""Early words: what a model noticed, and what rules that nobody has approved yet would say."""
