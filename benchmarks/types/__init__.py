"""The types that a person wrote down for columns of many tables, and what is measured by them."""
