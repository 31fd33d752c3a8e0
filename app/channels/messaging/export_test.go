package messaging

// What uploads of media respond with.
type (
	MediaReply    = mediaReply
	UploadSession = uploadSession
)

// SimulateReply is simulateReply.
var SimulateReply = simulateReply
