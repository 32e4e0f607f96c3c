"""Chunks of columns and a schema to blocks of codes and numbers."""
