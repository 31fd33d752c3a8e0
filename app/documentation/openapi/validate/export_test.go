package validate

// Limits bounds what one check may cost.
type Limits = limitSet

// NewLimited returns a validator with other limits.
var NewLimited = newLimited
