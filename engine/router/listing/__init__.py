"""Routes listed one by one, and the best disjoint choice among them."""
