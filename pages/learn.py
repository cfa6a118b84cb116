"""Learn: three stories, one question a scene."""

from dpviz.ui.kit import frame
from dpviz.ui.learn import where
from dpviz.ui.learn.page import learn_page
from dpviz.ui.visit import page as visits

frame.guard()
place = where.settle()
now = visits.open_page("learn", epsilon=1.0, views=("", "quiz", "teacher"))
where.write(place)
learn_page(now, place)
