"""Ask a language model over HTTP for one JSON value that fits a shape, within bounds that hold.

`client` asks and retries, `wire` is the only module that speaks HTTP, `errors` says what can go
wrong, `memory.actions.model_calls` records every attempt and stops calls that are too many.
"""
