"""The results of a class: feedback, a page, tables, files for platforms."""
