"""Messages as plain records, before Discord sees them."""
