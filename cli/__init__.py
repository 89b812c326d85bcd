"""The command `tetsudo`: `main` reads the command line, and each command has its module."""
