"""Where a wish leads from every place of every scene: data that both editions obey."""

from collections import Counter
from itertools import product

from dpviz.lessons.stories.listing import STORIES
from dpviz.lessons.stories.telling import LEADS, SKIPPED, Place, beat_of, keys, moves, stop_of

EVERY = [
    Place(story, scene, guess, beat, stop_of(scene, beat))
    for story in STORIES
    for scene in story.scenes
    for guess, second in product(
        (None, SKIPPED, *(one.key for one in scene.options if one.right)), (False, True)
    )
    for beat in [beat_of(scene, guess, second=second)]
]


def test_a_guess_is_taken_once():
    for place in EVERY:
        named = {one.key for one in place.scene.options} | {"reveal"}
        taken = {wish: move["guess"] for wish, move in moves(place).items() if wish in named}
        assert taken == (
            {}
            if place.guess
            else {one.key: one.key for one in place.scene.options} | {"reveal": SKIPPED}
        )


def test_on_and_back_walk_a_story_once_to_its_end_and_back_to_its_start():
    for story in STORIES:
        number, guess, second, seen = 1, None, False, []
        while number:  # nothing is guessed: the second beat follows the question
            scene = story.scenes[number - 1]
            place = Place(story, scene, guess, beat_of(scene, guess, second=second), None)
            seen.append((number, place.beat))
            move = moves(place)["next"]
            second = move.get("beat") == "second"
            number = int(move.get(LEADS, number))
        beats = [
            (scene.number, beat)
            for scene in story.scenes
            for beat in ("predict", "second")
            if beat == "predict" or scene.second is not None
        ]
        assert seen == beats
        first = Place(story, story.scenes[0], SKIPPED, "reveal", None)
        assert "back" not in moves(first)


def test_back_leads_to_the_scene_before_and_from_a_second_beat_to_the_first_one():
    for place in EVERY:
        before = {"back": {LEADS: place.scene.number - 1}} if place.scene.number > 1 else {}
        wanted = {"back": {"beat": None}} if place.beat == "second" else before
        assert {wish: move for wish, move in moves(place).items() if wish == "back"} == wanted


def test_asking_again_forgets_everything_of_the_scene_and_nothing_else():
    for place in EVERY:
        assert moves(place)["again"] == {"guess": None, "beat": None, place.scene.control.key: None}


def test_every_key_of_the_keyboard_means_something_where_it_is_offered():
    for place in EVERY:
        offered = set(keys(place).values()) - ({"back"} if place.first else set())
        if place.beat != "predict":
            assert offered <= set(moves(place)) | {"back"}
        elif place.guess is None:
            assert offered <= set(moves(place))


def test_neither_place_nor_length_gives_an_answer_away():
    """The right one stands in one place in at most 40 %, and is the longest in at most a third."""
    asked = [scene for story in STORIES for scene in story.scenes if scene.options]
    assert len(asked) == 22
    longest = [scene.name for scene in asked
               if len(scene.right.text) == max(len(one.text) for one in scene.options)]  # fmt: skip
    assert len(longest) <= len(asked) / 3
    for room in ("", "K7QM", "AB12CD"):
        told = [scene for scene in asked if scene.drawing is None]
        places = Counter(scene.shuffled(room).index(scene.right) for scene in told)
        assert max(places.values()) <= 0.4 * len(told), room
