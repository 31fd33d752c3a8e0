package db

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"

	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// Fingerprint names the schema that Migrate makes: 12 hexadecimal digits of a
// SHA-256 over the schema and every migration, ours and River's. Another text gives another
// name.
func Fingerprint() (string, error) {
	hash := sha256.New()
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return "", err
	}
	fmt.Fprintf(hash, "%d %s%d %s", len(schemaText), schemaText, len(initialText), initialText)
	for _, name := range names {
		text, err := migrations.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("reading the migration %s: %w", name, err)
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(text), text)
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(nil), &rivermigrate.Config{Schema: RiverSchema})
	if err != nil {
		return "", fmt.Errorf("reading the job migrations: %w", err)
	}
	for _, m := range migrator.AllVersions() {
		fmt.Fprintf(hash, "%d %s", m.Version, m.SQLUp)
	}
	return hex.EncodeToString(hash.Sum(nil))[:12], nil
}
