"""The table: where a player sits, with the list of games, the words, the consoles and the records."""
