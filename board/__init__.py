"""The living board: a page beside the chat, on which one sees a whole game and plays it by touch.

It knows tables, positions, words, views and drawings, and nothing of Discord's messages. The server makes all markup;
what runs in the browser only zooms, marks, and swaps the parts that changed.
"""
