"""Ask a language model for schema, rules and tests; the answer is checked before it is shown.

`material` gathers what asks for code, `prompt` fits it into its bound, `answer` is the shape of
what comes back. `bounds` finds what an answer may not change, `readings` what does not fit, `proof`
whether its tests would notice a broken rule, and `trial` puts these and the sandbox's own checks in
order. `job` asks until one answer passes; `memory.actions.structure_needs` stores what came of it.
"""
