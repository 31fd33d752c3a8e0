//go:build drill

package reading

import (
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
)

// TestCollectionOfOpenAIDrill is TestCollectionsComeBack for a document that takes longer.
//
//	go test -tags drill -run CollectionOfOpenAIDrill -v ./app/documentation/importing/reading
func TestCollectionOfOpenAIDrill(t *testing.T) {
	for _, d := range corpus.Real(t) {
		if strings.HasPrefix(d.Name, "openai") {
			comesBack(t, d.Data)
		}
	}
}
