"""What a picture is made of, by name."""


def traces(picture, name):
    return [one for one in picture["data"] if one["name"] == name]


def said(picture):
    return [note["text"] for note in picture["layout"]["annotations"]]
