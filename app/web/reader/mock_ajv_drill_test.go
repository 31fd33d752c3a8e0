//go:build drill

package reader_test

// verdicts is how many bodies of a contract are judged by the drill:
//
//	go test -tags drill -run VerdictsOfAjv ./app/web/reader
const verdicts = 10_000
