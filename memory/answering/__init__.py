"""Answer a question in words: by a checked query over the records, or by quoted words, or not.

`ask` is the way in. What a model writes is a query, which is checked, typed and run alone in the
sandbox, or an answer whose every quote and number trusted code finds again in what was said.
"""
