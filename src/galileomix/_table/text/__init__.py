"""What the texts of a column stand for: numbers, dates, booleans, missing values, or text."""
