package metric

var counted = counter("insight_writes_total", "Writes of what readers do by how they ended: written or failed. Failed ones are tried again.", "outcome")

// Counted counts a write of what readers do: written or failed.
func Counted(outcome string) { counted.WithLabelValues(outcome).Inc() }
