"""Recognising what the user names, pastes or opens: notations, moves and files."""
