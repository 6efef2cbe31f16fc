"""What programs import, under the names that `gridmill` gives it: boards in any form in, answers in any form out."""
