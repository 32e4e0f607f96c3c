"""How one block is computed: `reference` is the specification, `cpu` the compiled form."""
