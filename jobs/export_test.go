package jobs

// Queues is defaultQueues.
var Queues = defaultQueues
