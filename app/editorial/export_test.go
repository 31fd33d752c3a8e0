package editorial

// Arranged is arranged, for its property test.
var Arranged = arranged
