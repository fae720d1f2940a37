"""What is written of a class: feedback, a page, tables, results for platforms."""
