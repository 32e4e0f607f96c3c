"""The scikit-learn estimators: they validate, call, and store what was fitted."""
