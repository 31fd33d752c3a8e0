package relay

// Wait is waitTime.
var Wait = waitTime
