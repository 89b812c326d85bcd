"""What is said for each kind of notice: a module for each subject. `notice` says which."""
