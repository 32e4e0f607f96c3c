"""The items: each module computes one table, figure or example of the paper by `compute(plan)`."""
