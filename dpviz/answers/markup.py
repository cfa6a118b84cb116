"""Marked text: private numbers in blue, true ones in bold ink; texts of a file are not trusted."""

import re


def plain(text: str) -> str:
    """Text from a visitor's file with Markdown switched off."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|~$:^=])", r"\\\1", text)


def private(text: str) -> str:
    """A published number, in blue; text is plain."""
    return f":blue[{plain(text)}]"


def true(text: str) -> str:
    """A true number, in bold ink; text is plain."""
    return f"**{plain(text)}**"


def danger(text: str) -> str:
    """What leaked about one person; text is plain."""
    return f":orange[{plain(text)}]"


def unmarked(sentence: str) -> str:
    """A sentence without its Markdown."""
    bare = re.sub(r":(?:blue|orange)\[((?:\\.|[^\]\\])*)\]", r"\1", sentence).replace("**", "")
    return re.sub(r"\\(.)", r"\1", bare)


def html_safe(text: str) -> str:
    """Text from a visitor's file made safe for the labels and hovers of pictures."""
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")
    )
