package parts

// FailingStates are the states in which a message has failed.
const FailingStates = `('failed', 'undelivered', 'expired', 'rejected', 'unknown')`
