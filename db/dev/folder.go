package dev

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// folder is the home of a cluster:
//
//	lock      held by the process that runs the cluster; holds its id
//	password  of the one role, "heliograph"
//	port      the last port that was used
//	log       what PostgreSQL had to say
//	data/     PostgreSQL's own; data.new/ is one that is being made
type folder struct {
	path  string
	owner owner
	lock  *os.File
}

func (f folder) data() string { return filepath.Join(f.path, "data") }

func (f folder) file(name string) string { return filepath.Join(f.path, name) }

// openFolder makes the folder if needed and takes its lock, so that one
// process at a time runs a cluster there.
func openFolder(path string) (folder, error) {
	f := folder{path: path}
	var err error
	if f.owner, err = findOwner(f.data()); err != nil {
		return folder{}, err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return folder{}, f.unwritable(err)
	}
	lock, err := os.OpenFile(f.file("lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return folder{}, f.unwritable(err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder, _ := os.ReadFile(f.file("lock")) // only to name it
		lock.Close()
		return folder{}, &inUseError{path, strings.TrimSpace(string(holder))}
	}
	f.lock = lock
	if err := lock.Truncate(0); err != nil {
		return folder{}, errors.Join(f.unwritable(err), f.release())
	}
	if _, err := fmt.Fprintln(lock, os.Getpid()); err != nil {
		return folder{}, errors.Join(f.unwritable(err), f.release())
	}
	return f, nil
}

// inUseError says that another process runs the cluster.
type inUseError struct{ path, holder string }

func (e *inUseError) Error() string {
	return fmt.Sprintf("the folder %s is in use by process %s: stop that one first, or choose another folder with --data", e.path, e.holder)
}

// release gives the folder back. Closing alone would not do at once: a program
// that is being started elsewhere has our descriptors for a moment.
func (f folder) release() error {
	return errors.Join(syscall.Flock(int(f.lock.Fd()), syscall.LOCK_UN), f.lock.Close())
}

func (f folder) unwritable(err error) error {
	return fmt.Errorf("the folder %s cannot be written: make it writable or choose another folder with --data: %w", f.path, err)
}

// major returns the version that made the data, 0 when there is none yet. Data
// without its version is not something that initialise leaves behind.
func (f folder) major() (int, error) {
	if _, err := os.Stat(f.data()); errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	text, err := os.ReadFile(filepath.Join(f.data(), "PG_VERSION"))
	major, parsed := strconv.Atoi(strings.TrimSpace(string(text)))
	_, control := os.Stat(filepath.Join(f.data(), "global", "pg_control"))
	if err := errors.Join(err, parsed, control); err != nil {
		return 0, fmt.Errorf("the folder %s is not a complete PostgreSQL data folder: move it away, or discard the data with --fresh: %w", f.data(), err)
	}
	return major, nil
}

// initialise makes the data folder under another name and renames it when it
// is complete, so that an interrupted start leaves nothing that looks good.
func (f folder) initialise(ctx context.Context, b binaries, throwaway bool) error {
	fresh := f.data() + ".new"
	if err := removeLeftover(ctx, fresh); err != nil {
		return f.unwritable(err)
	}
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return f.unwritable(err)
	}
	password, err := f.makePassword()
	if err != nil {
		return f.unwritable(err)
	}
	defer os.Remove(password)
	if err := f.owner.give(fresh); err != nil {
		return err
	}
	cmd := f.owner.command(ctx, filepath.Join(b.dir, "initdb"), syscall.SIGKILL)
	defer cmd.close()
	cmd.Args = append(cmd.Args, "--pgdata="+cmd.lend(fresh), "--pwfile="+cmd.lend(password),
		"--username=heliograph", "--auth=scram-sha-256", "--encoding=UTF8", "--locale="+locale, "--lc-messages=C")
	if throwaway {
		cmd.Args = append(cmd.Args, "--no-sync")
	} else {
		cmd.Args = append(cmd.Args, "--data-checksums")
	}
	// The signal on our death is tied to the thread that forks.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("PostgreSQL could not make its data folder %s: %w: %s", fresh, err, reason(out))
	}
	if err := os.Rename(fresh, f.data()); err != nil {
		return f.unwritable(err)
	}
	return nil
}

// removeLeftover deletes what an interrupted start left behind, of which a last
// process may still be writing for a moment.
func removeLeftover(ctx context.Context, path string) error {
	var err error
	poll(ctx, 20*time.Second, func() bool {
		err = os.RemoveAll(path)
		return !errors.Is(err, syscall.ENOTEMPTY)
	})
	return err
}

// makePassword writes a new password for us and returns the name of a copy
// that only the owner of the data can read.
func (f folder) makePassword() (copied string, err error) {
	password := hex.EncodeToString(random(16))
	copied = f.data() + ".password"
	if err := os.WriteFile(f.file("password"), []byte(password), 0o600); err != nil {
		return "", err
	}
	if err := os.WriteFile(copied, []byte(password), 0o600); err != nil {
		return "", err
	}
	return copied, f.owner.give(copied)
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

// endLeftover stops a server that a killed process left behind, and removes a
// pid file if its process is something else by now. The lock is ours, so
// nothing else has a claim on this folder.
func (f folder) endLeftover(ctx context.Context) error {
	text, err := os.ReadFile(filepath.Join(f.data(), "postmaster.pid"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return f.unwritable(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || pid <= 1 || !serves(pid, f.data()) {
		return os.Remove(filepath.Join(f.data(), "postmaster.pid"))
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		if err := syscall.Kill(pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("PostgreSQL (process %d) still runs in %s and cannot be stopped: %w", pid, f.data(), err)
		}
		gone := func() bool { return !serves(pid, f.data()) }
		if poll(ctx, 20*time.Second, gone) {
			return nil
		}
	}
	return fmt.Errorf("PostgreSQL (process %d) still runs in %s and does not stop: end it with kill -KILL %d and start again", pid, f.data(), pid)
}

// poll asks done at short intervals until it says yes (true) or the time or
// the context is over (false).
func poll(ctx context.Context, limit time.Duration, done func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for !done() {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(30 * time.Millisecond):
		}
	}
	return true
}

// trimLog truncates the log once it exceeds 8 MB.
func (f folder) trimLog() error {
	info, err := os.Stat(f.file("log"))
	if err != nil || info.Size() < 8<<20 {
		return nil // none yet, or small
	}
	if err := os.Truncate(f.file("log"), 0); err != nil {
		return f.unwritable(err)
	}
	return nil
}
