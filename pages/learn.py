"""Learn: three stories, one question a scene, alone or as a presenter leads."""

from dpviz.ui.kit import frame
from dpviz.ui.learn import follow, lead, room, where
from dpviz.ui.learn.page import learn_page
from dpviz.ui.visit import page as visits

frame.guard()
lead.settle()
follows = follow.settle()
place = where.settle()
room.settle()
now = visits.open_page("learn", epsilon=1.0, views=("", "quiz", "test", "teacher"))
follow.write(None if follows else place, follows=follows, also=room.link("" if place else now.view))
learn_page(now, place, follows=follows)
if not follows:
    lead.publish(place)
