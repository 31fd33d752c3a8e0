package password_test

import (
	"os"
	"testing"

	"heliograph/app/web/webtest"
)

func TestMain(m *testing.M) { os.Exit(webtest.RunForms(m, "password")) }
