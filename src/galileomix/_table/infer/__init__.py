"""Chunks of columns to a schema."""
