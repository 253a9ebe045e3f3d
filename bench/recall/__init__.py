"""`make bench-recall`: how much of the evidence for a question is found, without anybody judging an answer."""
