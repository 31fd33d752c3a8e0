package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// bench builds and runs tests with mutants.
type bench struct {
	root    string
	module  string
	folder  string // temporary: overlay, test binary, the tests' files and cluster
	goCache string
	cluster int // number of the database cluster
	covered map[string]*coverage
	whole   bool // run every test of a package over every mutant
}

func newBench(ctx context.Context, root string) (*bench, error) {
	list := exec.CommandContext(ctx, "go", "list", "-m")
	list.Dir = root
	module, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m: %w", err)
	}
	cache, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	folder, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return nil, err
	}
	return &bench{
		root: root, module: strings.TrimSpace(string(module)), folder: folder, goCache: strings.TrimSpace(string(cache)),
		covered: map[string]*coverage{},
	}, nil
}

// close removes the temporary folder after the database clusters in it ended,
// which they do by themselves half a minute after their last use.
func (b *bench) close() {
	for range 60 {
		if running, _ := filepath.Glob(filepath.Join(b.folder, "cache*", "heliograph", "dbtest", "url")); len(running) == 0 {
			break
		}
		time.Sleep(time.Second)
	}
	os.RemoveAll(b.folder) //nolint:errcheck // temporary
}

// try runs the tests of the mutant's package that execute it, then those of
// other packages while it survives.
func (b *bench) try(ctx context.Context, m mutant, others []string) (result, error) {
	r, began := result{Status: survived}, time.Now()
	for _, name := range append([]string{m.Package}, others...) {
		tests, took := []string{".*"}, 5*time.Minute
		if !b.whole {
			c, err := b.cover(ctx, name, m.Package)
			if err != nil {
				return r, err
			}
			tests, took = c.reach(m)
		}
		overlay, err := b.writeOverlay(m)
		if err != nil {
			return r, err
		}
		status, err := b.build(ctx, name, "-overlay="+overlay)
		if err != nil {
			return r, err
		}
		if status != "" {
			r.Status, r.By = notViable, status
			break
		}
		if len(tests) == 0 {
			continue
		}
		if strings.HasPrefix(m.File, "db/migrate") { // only a new cluster is migrated
			b.cluster++
			defer func() { b.cluster++ }() // what the mutant breaks must not meet the next
		}
		if r, err = b.meet(ctx, name, tests, time.Minute+4*took); err != nil {
			return r, err
		}
		if r.Status != survived {
			break
		}
	}
	r.mutant, r.Seconds = m, time.Since(began).Round(time.Second).Seconds()
	return r, nil
}

// meet runs the tests that were built, the quick ones first: a slow test that
// waits for something in vain takes long to fail.
func (b *bench) meet(ctx context.Context, name string, tests []string, timeout time.Duration) (r result, err error) {
	quick := (len(tests) + 1) / 2
	for _, some := range [][]string{tests[:quick], tests[quick:]} {
		if len(some) == 0 {
			break
		}
		if r, err = b.run(ctx, name, timeout, "-test.run", "^("+strings.Join(some, "|")+")$"); err != nil || r.Status != survived {
			break
		}
	}
	return r, err
}

// writeOverlay writes the mutated file and the overlay that puts it in place.
func (b *bench) writeOverlay(m mutant) (string, error) {
	text, err := m.apply(b.root)
	if err != nil {
		return "", err
	}
	mutated, overlay := filepath.Join(b.folder, "mutated.go"), filepath.Join(b.folder, "overlay.json")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(b.root, m.File): mutated}})
	if err != nil {
		return "", err
	}
	return overlay, errors.Join(os.WriteFile(mutated, text, 0o600), os.WriteFile(overlay, list, 0o600))
}

func (b *bench) binary() string { return filepath.Join(b.folder, "package.test") }

// build builds the tests of a package; problem is what the compiler says.
func (b *bench) build(ctx context.Context, name string, flags ...string) (problem string, err error) {
	args := append([]string{"-n", "5", "go", "test", "-c", "-vet=off", "-trimpath", "-o", b.binary()}, flags...)
	build := exec.CommandContext(ctx, "nice", append(args, "./"+name)...)
	build.Dir = b.root
	if out, err := build.CombinedOutput(); ctx.Err() != nil {
		return "", ctx.Err()
	} else if err != nil {
		return firstError(out), nil
	}
	return "", nil
}

// run runs the tests that were built until one fails.
func (b *bench) run(ctx context.Context, name string, timeout time.Duration, flags ...string) (result, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	temporary := filepath.Join(b.folder, "tmp")
	if err := os.MkdirAll(temporary, 0o700); err != nil {
		return result{}, err
	}
	defer os.RemoveAll(temporary) // files of killed tests
	cmd := exec.CommandContext(limited, "nice", append([]string{"-n", "5", b.binary(), "-test.v", "-test.failfast"}, flags...)...)
	cmd.Dir = filepath.Join(b.root, name)
	cmd.Env = append(os.Environ(), "GOCACHE="+b.goCache, "TMPDIR="+temporary,
		"XDG_CACHE_HOME="+filepath.Join(b.folder, fmt.Sprint("cache", b.cluster)))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	out := &output{failed: cancel}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return result{}, err
	}
	err := cmd.Wait()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // all tests passed, and what they started has not ended yet
	}
	by := out.by
	switch {
	case ctx.Err() != nil:
		return result{}, ctx.Err()
	case by != "":
		return result{Status: killed, By: name + " " + by}, nil
	case limited.Err() != nil:
		return result{Status: timedOut, By: name}, nil
	case err != nil:
		return result{Status: killed, By: name + ": " + err.Error()}, nil
	}
	return result{Status: survived}, nil
}

// output reads what tests print, line by line, up to the first failure.
type output struct {
	failed func() // called at the first failure
	by     string // the test that failed
	line   []byte // begun
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	for _, b := range p {
		if o.line = append(o.line, b); b != '\n' || o.by != "" {
			continue
		}
		if o.by = failure(string(o.line)); o.by != "" {
			o.failed()
		}
		o.line = o.line[:0]
	}
	return len(p), nil
}

var failed = regexp.MustCompile(`^\s*(?:--- FAIL: (\S+)|(panic: .*)|(fatal error: .*)|(WARNING: DATA RACE))`)

// failure returns the test that a line of output says has failed.
func failure(line string) string {
	match := failed.FindStringSubmatch(line)
	if match == nil {
		return ""
	}
	return strings.TrimSpace(match[slices.IndexFunc(match[1:], func(s string) bool { return s != "" })+1])
}

// firstError returns the first line of the compiler that names a place.
func firstError(out []byte) string {
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, ".go:") {
			return strings.TrimSpace(line)
		}
	}
	return shorten(string(out))
}
