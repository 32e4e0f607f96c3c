"""Any table to chunks of columns."""
