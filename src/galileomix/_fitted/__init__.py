"""A fitted model, how it is fitted, and what it answers."""
