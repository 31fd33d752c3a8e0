package messaging

// SimulateReply is simulateReply.
var SimulateReply = simulateReply
