package editorial

// Arranged is arranged, for its property test.
var Arranged = arranged

// OwnPages are the pages of the portal beside the documentation.
var OwnPages = own

// Open is openChangeSet, which edits call for their author.
var Open = openChangeSet
