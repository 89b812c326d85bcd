"""What a message offers beside the moves of the game: players that press anything leave these alone."""

TOOLS = {
    "More…",
    "My hand",
    "What happened?",
    "Try out",
    "Why not?",
    "What if I pass?",
    "Suggest",
    "Undo",
    "Other hex",
    "Other tile",
    "More tiles",
    "Other routes…",
    "See the price",
}
"""The labels of buttons that look at something, or go back."""
LEAVES = ("program|", "routes|", "ask|", "rule|", "show|", "learned|", "help|", "follow")
"""How the codes begin of what opens a form, or something to read."""
