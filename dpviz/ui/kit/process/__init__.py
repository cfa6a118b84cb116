"""What all visitors of a process share: turns, results about public data, room for files and jobs."""
