"""What a mixture says of values: which were to be expected, which surprise, which go together."""
