"""`tetsudo arena`: levels and outside programs against each other, and how strong they are."""
