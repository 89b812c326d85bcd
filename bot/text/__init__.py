"""Words: names of things, labels of actions, sentences about what happened."""
