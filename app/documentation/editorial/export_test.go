package editorial

// Arranged is arranged, for its property test.
var Arranged = arranged

// Open is openChangeSet, which edits call for their author.
var Open = openChangeSet
