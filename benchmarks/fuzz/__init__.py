"""Random tables, parameters and files, and the laws that hold whatever they are."""
