package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Commands work on what dev keeps, beside it and after it, and what they make
// is there at the next start.
func TestCommandsWorkOnTheDataOfDev(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	a, stop := startDev(t, data)
	run := func(args, want string) {
		t.Helper()
		status, out, errs := invoke(t, nil, append(strings.Fields(args), "--data", data)...)
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, want %q in:\n%s%s", args, status, want, out, errs)
		}
	}
	run("admin create --email asha@example.com --name Asha", "signs in at "+a.URL+"/admin")
	run("audit verify", "entries hold")
	stop(syscall.SIGINT)
	run("org create --name Lighthouse --email ravi@example.com", "API key")
	run("org add-account --organisation 1 --name Repairs", "account")
	run("org add-number --organisation 1 --name Repairs", "Added under the id")
	run("org add-catalogue --organisation 1 --name Lamps", "Lamps")
	run("org assets --organisation 1", "+9100")
	run("migrate", "The schema is at this version.")
	run("seed", "The documentation is published.")
	run("routes", "/health")
	run("audit verify", "entries hold")
	if status, _, errs := invoke(t, nil, "admin", "create", "--email", "asha@example.com", "--name", "Asha", "--data", data); status != 1 || !strings.Contains(errs, "already exists") {
		t.Errorf("the administrator that was made beside dev is made again: status %d, %s", status, errs)
	}
	_, stop = startDev(t, data)
	stop(syscall.SIGINT)
}

func TestCommandsMakeNoDataOfTheirOwn(t *testing.T) {
	t.Parallel()
	nothing, foreign := filepath.Join(t.TempDir(), "nothing"), t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "dev.json"), []byte(`{"url": "http://localhost:1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(foreign, "keys"), []byte("k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		environ    []string
		data, want string
	}{
		{nil, nothing, "was not made by heliograph dev: name the folder"},
		{nil, foreign, "there is no database in "},
		{append(strings.Split("HELIOGRAPH_ENV=production PUBLIC_URL=https://docs.example.com STORAGE_ENDPOINT=s3 STORAGE_ACCESS_KEY=a STORAGE_SECRET_KEY=b", " "), settings(t, "postgres://db/x")[0], settings(t, "")[4]), foreign, "a data folder is for development"},
	} {
		status, _, errs := invoke(t, c.environ, "audit", "verify", "--data", c.data)
		if status != 1 || !strings.Contains(errs, c.want) {
			t.Errorf("--data %s: status %d, want %q in:\n%s", c.data, status, c.want, errs)
		}
	}
	if _, err := os.Stat(nothing); !os.IsNotExist(err) {
		t.Errorf("a folder was made: %v", err)
	}
	if _, err := os.Stat(filepath.Join(foreign, "postgres")); !os.IsNotExist(err) {
		t.Errorf("a database was made: %v", err)
	}
}

func TestLostKeysAreNotReplaced(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if err := os.MkdirAll(filepath.Join(data, "postgres", "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	status, _, errs := invoke(t, nil, "dev", "--port", "0", "--data", data)
	if status != 1 || !strings.Contains(errs, "is missing, and without it what the database holds sealed cannot be opened") {
		t.Errorf("status %d, %s", status, errs)
	}
	if _, err := os.Stat(filepath.Join(data, "keys")); !os.IsNotExist(err) {
		t.Errorf("new keys were made: %v", err)
	}
}
