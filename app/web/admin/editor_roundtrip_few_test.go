//go:build !drill

package admin_test

// savedOf is how many endpoints of the seed stand for one that is opened and saved.
const savedOf = 3
