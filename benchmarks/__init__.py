"""What produces the figures of docs/results.md, and in `speed` those of docs/performance.md."""
