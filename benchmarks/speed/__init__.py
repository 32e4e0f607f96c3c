"""How fast it is, peers side by side: ``python -m benchmarks.speed --help``."""
