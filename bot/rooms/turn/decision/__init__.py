"""Decision cards: what each step's decision needs, as data for `renderer.card`."""
