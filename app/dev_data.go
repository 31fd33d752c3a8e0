package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"heliograph/app/config"
	"heliograph/db/dev"
)

// dataFolder is the home of `heliograph dev`:
//
//	postgres/  the database, see package dev
//	files/     uploads and exports
//	keys       ENCRYPTION_KEYS, made at the first start
//	dev.json   addresses and credentials
//	listen/    how far callbacks were relayed by --to
type dataFolder struct{ path string }

var dataNames = []string{"postgres", "files", "keys", "dev.json", "listen"}

// openDataFolder makes the folder if needed, after emptying it if asked to.
func openDataFolder(ctx context.Context, path string, fresh bool) (dataFolder, error) {
	f := dataFolder{path}
	if fresh {
		if err := f.discard(ctx); err != nil {
			return f, err
		}
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return f, f.unwritable(err)
	}
	return f, nil
}

func (f dataFolder) unwritable(err error) error {
	return fmt.Errorf("the data folder %s cannot be written: make it writable or choose another with --data: %w", f.path, err)
}

// discard deletes what dev made, and refuses when anything else lies there.
func (f dataFolder) discard(ctx context.Context) error {
	entries, err := os.ReadDir(f.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return f.unwritable(err)
	}
	for _, e := range entries {
		if !slices.Contains(dataNames, strings.TrimSuffix(e.Name(), ".new")) {
			return fmt.Errorf("%s holds %s, which heliograph dev did not make, so --fresh does not empty it: move that away, or choose another folder with --data", f.path, e.Name())
		}
	}
	if err := dev.Remove(ctx, filepath.Join(f.path, "postgres")); err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(f.path, e.Name())); err != nil {
			return f.unwritable(err)
		}
	}
	return nil
}

// complete sets what the environment left open to what suits this machine;
// address is where dev serves.
func (f dataFolder) complete(c *config.Config, environ []string, address string) error {
	set := func(name string) bool {
		return slices.ContainsFunc(environ, func(line string) bool { return strings.HasPrefix(line, name+"=") })
	}
	c.AllowLoopbackWebhooks = true
	if !set("PUBLIC_URL") {
		c.PublicURL = address
	}
	if !set("LOG_FORMAT") {
		c.LogFormat = "text"
	}
	if c.StorageEndpoint == "" && c.StorageFolder == "" {
		c.StorageFolder = filepath.Join(f.path, "files")
	}
	if len(c.EncryptionKeys) > 0 {
		return nil
	}
	keys, err := f.keys()
	c.EncryptionKeys = keys
	return err
}

// keys returns the encryption keys of this folder, made at the first start.
// Data is not given new keys when its own are lost: what they sealed would be
// lost without a word.
func (f dataFolder) keys() ([]string, error) {
	path := filepath.Join(f.path, "keys")
	text, err := os.ReadFile(path)
	if err == nil {
		return strings.Split(strings.TrimSpace(string(text)), ","), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, f.unwritable(err)
	}
	if _, err := os.Stat(filepath.Join(f.path, "postgres", "data")); err == nil {
		return nil, fmt.Errorf("%s is missing, and without it what the database holds sealed cannot be opened: put it back, set ENCRYPTION_KEYS to its text, or discard the data with --fresh", path)
	}
	key := make([]byte, 32)
	rand.Read(key)
	entry := "k1:" + base64.StdEncoding.EncodeToString(key)
	return []string{entry}, f.write("keys", []byte(entry+"\n"))
}

// write replaces a file of the folder in one step, readable by its owner alone.
func (f dataFolder) write(name string, text []byte) error {
	path := filepath.Join(f.path, name)
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return f.unwritable(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return f.unwritable(err)
	}
	return nil
}
