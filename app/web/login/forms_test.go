package login_test

import (
	"os"
	"testing"

	"heliograph/app/web/webtest"
)

// Each form is sent with and without htmx, and taken.
func TestMain(m *testing.M) { os.Exit(webtest.RunForms(m, "login")) }
