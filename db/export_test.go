package db

import "time"

// SetQuiet sets how long a listener waits before it tries its connection.
func (l *Listener) SetQuiet(d time.Duration) { l.quiet = d }
