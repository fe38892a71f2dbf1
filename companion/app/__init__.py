"""The full-screen caller: what the crowned player sees, taps and types at.

Everything shown comes from `companion.game.session` and `companion.wording`; none of these modules
contains rules.
"""
