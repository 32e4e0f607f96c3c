"""The mathematics, with numpy alone. Read `params`, then `em`, then `anneal`."""
