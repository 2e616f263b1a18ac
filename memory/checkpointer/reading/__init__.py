"""Read waiting messages and untyped facts with a language model: answers are checked data.

`batch` gathers what one prompt is about, `prompt` fits it into its bound, `answer` is the shape of
what comes back, `verify` finds what is wrong with it, `memory.actions.apply_reading` stores it, and
`job` does one after the other. What has no database in its name is pure.
"""
