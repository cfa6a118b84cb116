"""What trees and buckets err by, in pictures: along the axis, by fanout, against the budget."""
