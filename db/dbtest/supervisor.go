package dbtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"heliograph/db"
	"heliograph/db/dev"
)

// superviseVar makes a test binary supervise the cluster of the folder that it
// names, in place of running tests.
const superviseVar = "HELIOGRAPH_DBTEST_SUPERVISE"

// How long the cluster outlives its last user: packages that are compiled
// slowly come in time, and nothing is left a minute after the run.
const grace = 30 * time.Second

func init() {
	if base := os.Getenv(superviseVar); base != "" {
		if err := supervise(base); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// sharedCluster returns the address of the cluster that the test binaries of
// this user share, and starts it when there is none. It lasts while inUse is
// open. The folder holds:
//
//	users    locked shared by every test binary that uses the cluster
//	start    locked by who starts or ends it
//	url      its address, while it runs
//	log      what the supervisor had to say; cluster/ is PostgreSQL's
func sharedCluster() (address string, inUse *os.File, err error) {
	base, err := baseFolder()
	if err != nil {
		return "", nil, err
	}
	if inUse, err = lock(base, "users", syscall.LOCK_SH); err != nil {
		return "", nil, err
	}
	starting, err := lock(base, "start", syscall.LOCK_EX)
	if err != nil {
		return "", nil, errors.Join(err, inUse.Close())
	}
	defer unlock(starting)
	if text, err := os.ReadFile(filepath.Join(base, "url")); err == nil && answers(string(text)) {
		return string(text), inUse, nil
	}
	if address, err = startSupervisor(base); err != nil {
		return "", nil, errors.Join(err, inUse.Close())
	}
	return address, inUse, nil
}

func answers(url string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	pool, err := db.Open(ctx, url, db.Options{MaxConns: 1, Application: "test"})
	if err != nil {
		return false
	}
	pool.Close()
	return true
}

// startSupervisor runs this binary again, detached, and waits for the address
// that it reports, or its error, on a pipe.
func startSupervisor(base string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding the test binary: %w", err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return "", fmt.Errorf("making a pipe: %w", err)
	}
	defer read.Close()
	// Not our output: `go test` waits for everybody who holds that.
	log, err := os.Create(filepath.Join(base, "log"))
	if err != nil {
		return "", fmt.Errorf("making the log of the test cluster: %w", err)
	}
	defer log.Close()
	cmd := exec.Command(self)
	cmd.Dir = base
	cmd.Env = append(os.Environ(), superviseVar+"="+base)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{write}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := errors.Join(cmd.Start(), write.Close()); err != nil {
		return "", fmt.Errorf("starting the test cluster: %w", err)
	}
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		said, _ := os.ReadFile(log.Name())
		return "", fmt.Errorf("the test cluster did not start: %s", strings.TrimSpace(string(said)))
	}
	return strings.TrimSpace(line), nil
}

// supervise runs the cluster until nobody has used it for the time of grace.
func supervise(base string) error {
	cluster, err := dev.Start(context.Background(), filepath.Join(base, "cluster"), dev.Options{Throwaway: true})
	if err != nil {
		return err
	}
	address := filepath.Join(base, "url")
	if err := os.WriteFile(address, []byte(cluster.URL), 0o600); err != nil {
		return errors.Join(err, cluster.Stop())
	}
	report := os.NewFile(3, "report")
	_, err = fmt.Fprintln(report, cluster.URL)
	if err := errors.Join(err, report.Close()); err != nil {
		return errors.Join(err, cluster.Stop())
	}
	used := time.Now()
	for {
		select {
		case <-cluster.Done():
			return errors.Join(cluster.Err(), os.Remove(address))
		case <-time.After(time.Second):
		}
		if busy(base) {
			used = time.Now()
		}
		if time.Since(used) < grace {
			continue
		}
		starting, err := lock(base, "start", syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil {
			continue // somebody is coming
		}
		if !busy(base) {
			defer unlock(starting)
			return errors.Join(os.Remove(address), cluster.Stop())
		}
		unlock(starting)
	}
}

// busy reports whether a test binary uses the cluster.
func busy(base string) bool {
	alone, err := lock(base, "users", syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		return true
	}
	unlock(alone)
	return false
}

// lock opens a file of the folder and locks it, until unlock or the end of
// the process.
func lock(base, name string, how int) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(base, name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening a lock of the test cluster: %w", err)
	}
	for {
		err = syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", f.Name(), err), f.Close())
	}
	return f, nil
}

// unlock lets go at once, also while a program that is being started elsewhere
// has our descriptors for a moment.
func unlock(f *os.File) {
	syscall.Flock(int(f.Fd()), syscall.LOCK_UN) //nolint:errcheck // closing does it at the latest
	f.Close()
}

// baseFolder is in memory where there is enough of it: making and dropping the files
// of databases takes a fifth of all processor time of the tests on a disk. Else, or
// where XDG_CACHE_HOME asks for a place of its own, it is in the user's cache, or in
// the temporary folder for a user who has none.
func baseFolder() (string, error) {
	name := "heliograph-dbtest-" + strconv.Itoa(os.Geteuid())
	if os.Getenv("XDG_CACHE_HOME") == "" && free(memory) >= roomy {
		if base, err := ownFolder(filepath.Join(memory, name)); err == nil {
			return base, nil
		}
	}
	if cache, err := os.UserCacheDir(); err == nil {
		base := filepath.Join(cache, "heliograph", "dbtest")
		if os.MkdirAll(base, 0o700) == nil {
			return base, nil
		}
	}
	return ownFolder(filepath.Join(os.TempDir(), name))
}

// The file system that Linux keeps in memory, and what the databases of a whole run
// need of it.
const (
	memory = "/dev/shm"
	roomy  = 6 << 30
)

// free returns how many bytes can be written to the file system of a folder, none
// where it does not exist.
func free(folder string) uint64 {
	var stat syscall.Statfs_t
	if syscall.Statfs(folder, &stat) != nil {
		return 0
	}
	return stat.Bavail * uint64(stat.Bsize)
}

// ownFolder makes a folder where others can write too, and takes none that they made.
func ownFolder(base string) (string, error) {
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", fmt.Errorf("making the folder of the test cluster: %w", err)
	}
	info, err := os.Lstat(base)
	if err != nil {
		return "", fmt.Errorf("reading the folder of the test cluster: %w", err)
	}
	if owned, ok := info.Sys().(*syscall.Stat_t); !ok || int(owned.Uid) != os.Geteuid() || info.Mode() != os.ModeDir|0o700 {
		return "", fmt.Errorf("%s belongs to somebody else: remove it, or set HOME to a folder of yours", base)
	}
	return base, nil
}
