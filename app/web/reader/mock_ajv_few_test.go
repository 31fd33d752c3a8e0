//go:build !drill

package reader_test

// verdicts is how many bodies of a contract are judged.
const verdicts = 400
