// Package dev runs a private PostgreSQL cluster in a folder, for development
// and for tests: nothing to install beyond the programs, nothing to configure.
//
// The cluster listens on the loopback alone, on a port that it keeps between
// starts, and asks for a password that lies in the folder. It ends with the
// process that started it, even when that one is killed, and is started again
// when it dies by itself. Every error is a sentence that says what to do.
package dev

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Options says what the cluster is for.
type Options struct {
	// Throwaway trades durability for speed: the data is created at each
	// start and deleted at Stop.
	Throwaway bool
}

// Cluster is a running PostgreSQL server.
type Cluster struct {
	// URL names its database: postgres://heliograph:…@127.0.0.1:port/heliograph.
	URL string

	folder   folder
	binaries binaries
	password string
	options  Options
	port     int
	logged   int64 // bytes of the log before Start
	stop     context.CancelFunc
	done     chan struct{} // closed when the server is gone for good
	err      error         // why, once done is closed; nil after Stop
}

// Start runs a cluster in dir and returns once it takes connections. The
// folder is made if needed; a cluster that is there already is continued.
// Cancelling ctx gives the start up; a started cluster ends by Stop alone.
func Start(ctx context.Context, dir string, options Options) (*Cluster, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("finding the folder %s: %w", dir, err)
	}
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	c := &Cluster{folder: f, options: options, done: make(chan struct{})}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, f.release())
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context) error {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	running, stop := context.WithCancel(context.Background())
	c.stop = stop
	ready := make(chan error)
	go c.run(running, ctx, ready)
	if err := <-ready; err != nil {
		stop()
		return err
	}
	c.URL = address(c.password, c.port, database)
	return nil
}

// prepare brings the folder to the point where the server can start.
func (c *Cluster) prepare(ctx context.Context) error {
	f := c.folder
	if err := f.endLeftover(ctx); err != nil {
		return err
	}
	if c.options.Throwaway {
		if err := os.RemoveAll(f.data()); err != nil {
			return f.unwritable(err)
		}
	}
	major, err := f.major()
	if err != nil {
		return err
	}
	if c.binaries, err = findBinaries(ctx, major); err != nil {
		return err
	}
	if major == 0 {
		if err := f.initialise(ctx, c.binaries, c.options.Throwaway); err != nil {
			return err
		}
	}
	password, err := os.ReadFile(f.file("password"))
	if err != nil {
		return fmt.Errorf("the password of the database in %s is lost: put it back, or discard the data with --fresh: %w", f.path, err)
	}
	c.password = string(password)
	if err := f.trimLog(); err != nil {
		return err
	}
	if info, err := os.Stat(f.file("log")); err == nil {
		c.logged = info.Size()
	}
	return nil
}

// run starts the server and keeps it alive until running ends. It keeps its
// thread for that long: the kernel ends the server with the thread that
// forked it, not only with the process.
func (c *Cluster) run(running, starting context.Context, ready chan<- error) {
	runtime.LockOSThread()
	defer close(c.done)
	s, err := c.firstLaunch(starting)
	ready <- err
	if err != nil {
		return
	}
	for {
		select {
		case <-running.Done():
			s.stop(c.endSignal())
			return
		case <-s.exited:
		}
		slog.Warn("PostgreSQL ended by itself and is started again", "log", c.folder.file("log"))
		if s, err = c.relaunch(running); err != nil {
			if running.Err() == nil {
				c.err = fmt.Errorf("PostgreSQL ended by itself and cannot be started again, its log is %s: %w", c.folder.file("log"), err)
			}
			return
		}
	}
}

func (c *Cluster) endSignal() syscall.Signal {
	if c.options.Throwaway {
		return syscall.SIGQUIT
	}
	return syscall.SIGINT
}

// firstLaunch chooses the port: the one of last time, or another as long as
// somebody is quicker to take it.
func (c *Cluster) firstLaunch(ctx context.Context) (*server, error) {
	text, _ := os.ReadFile(c.folder.file("port")) // none at the first start
	last, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	for range 5 {
		port, err := freePort(last)
		if err != nil {
			return nil, err
		}
		s, err := c.launchWhenFree(ctx, port)
		if errors.Is(err, errPort) {
			last = 0
			continue
		}
		if err != nil {
			return nil, err
		}
		c.port = port
		if err := os.WriteFile(c.folder.file("port"), []byte(strconv.Itoa(port)), 0o600); err != nil {
			s.stop(c.endSignal())
			return nil, c.folder.unwritable(err)
		}
		return s, nil
	}
	return nil, errors.New("PostgreSQL found every port taken that was free a moment before: start again")
}

// relaunch brings the server back on its port, which pools remember.
func (c *Cluster) relaunch(ctx context.Context) (*server, error) {
	var s *server
	var err error
	poll(ctx, time.Minute, func() bool {
		if err = c.folder.endLeftover(ctx); err == nil {
			s, err = c.launchWhenFree(ctx, c.port)
		}
		return err == nil
	})
	if s == nil && err == nil {
		err = ctx.Err()
	}
	return s, err
}

// launchWhenFree waits for the processes of a killed server to leave.
func (c *Cluster) launchWhenFree(ctx context.Context, port int) (*server, error) {
	var s *server
	var err error
	poll(ctx, 30*time.Second, func() bool {
		s, err = c.launch(ctx, port)
		return !errors.Is(err, errBusy)
	})
	return s, err
}

// Done is closed when the server is gone for good: after Stop, or because it
// could not be kept alive. Err tells which.
func (c *Cluster) Done() <-chan struct{} { return c.done }

// Err returns why the server is gone, once Done is closed; nil after Stop.
func (c *Cluster) Err() error { return c.err }

// Stop ends the server, waits until it is gone and gives the folder back. A
// throwaway cluster leaves nothing in it.
func (c *Cluster) Stop() error {
	c.stop()
	<-c.done
	var removed error
	if c.options.Throwaway {
		removed = os.RemoveAll(c.folder.data())
	}
	return errors.Join(c.err, removed, c.folder.release())
}

// Remove deletes the cluster in dir, if there is one, after stopping a server
// that was left behind. It refuses while a process runs the cluster.
func Remove(ctx context.Context, dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("finding the folder %s: %w", dir, err)
	}
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.release() //nolint:errcheck // the file itself is gone by then
	if err := f.endLeftover(ctx); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return f.unwritable(err)
	}
	return nil
}
