package diff

// Part is a piece of a line.
type Part = linePart
