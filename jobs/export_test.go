package jobs

import "github.com/riverqueue/river/rivertype"

// Queues is defaultQueues.
var Queues = defaultQueues

// Storable returns the middleware that makes errors storable.
func Storable() rivertype.Middleware { return &storable{} }
