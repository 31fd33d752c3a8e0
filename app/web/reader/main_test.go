// Package reader_test tests the pages of readers on the whole server, in one program, since
// linking one for each page takes longer than most of the tests.
package reader_test

import (
	"os"
	"testing"

	"heliograph/app/web/webtest"
)

// Each form is sent with and without htmx, and taken.
func TestMain(m *testing.M) { os.Exit(webtest.RunForms(m, "console")) }
