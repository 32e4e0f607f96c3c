"""Numbers under a Gaussian for each component: in plain numpy, and compiled."""
