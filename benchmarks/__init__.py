"""The commands that produce the figures of docs/results.md: ``python -m benchmarks --help``."""
