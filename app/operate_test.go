package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
