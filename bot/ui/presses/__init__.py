"""What buttons and lists do: a handler for each word that a code may begin with. `handlers` has them all."""
