//go:build !drill

package mock_test

// verdicts is how many bodies of a contract are judged.
const verdicts = 400
