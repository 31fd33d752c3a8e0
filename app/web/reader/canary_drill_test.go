//go:build drill

package reader_test

import "testing"

// TestNothingUnpublishedDrill asks for each public address in every way.
//
//	go test -tags drill -run NothingUnpublishedDrill -v ./app/web/reader
func TestNothingUnpublishedDrill(t *testing.T) { walkPublic(t, 1) }
