package dev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const database = "heliograph"

// errPort says that another program has the port.
var errPort = errors.New("port taken")

// errBusy says that processes of an earlier server are still leaving.
var errBusy = errors.New("an earlier server is still ending")

// server is one run of the postgres program.
type server struct {
	pid    int
	exited chan struct{} // closed when the process is gone
}

// launch starts PostgreSQL on the port and returns once it answers. Call it
// from a thread that lives as long as the server is wanted.
func (c *Cluster) launch(ctx context.Context, port int) (*server, error) {
	log, err := os.OpenFile(c.folder.file("log"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, c.folder.unwritable(err)
	}
	defer log.Close()
	before, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, c.folder.unwritable(err)
	}
	death := syscall.SIGINT
	if c.options.Throwaway {
		death = syscall.SIGQUIT
	}
	cmd := c.folder.owner.command(context.WithoutCancel(ctx), filepath.Join(c.binaries.dir, "postgres"), death)
	defer cmd.close()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Args = append(cmd.Args, "-D", cmd.lend(c.folder.data()))
	cmd.Args = append(cmd.Args, c.options.settings(port)...)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting PostgreSQL: %w", err)
	}
	s := &server{pid: cmd.Process.Pid, exited: make(chan struct{})}
	go func() {
		cmd.Wait() //nolint:errcheck // how it ended is in its log
		close(s.exited)
	}()
	if err := c.await(ctx, s, port); err != nil {
		s.stop(syscall.SIGQUIT)
		tail := make([]byte, 64<<10)
		n, _ := log.ReadAt(tail, before) // what there is
		return nil, explain(err, tail[:n])
	}
	return s, nil
}

// settings are the command line of the postgres program.
func (o Options) settings(port int) []string {
	settings := []string{
		"listen_addresses=127.0.0.1", "port=" + strconv.Itoa(port), "unix_socket_directories=",
		"log_destination=stderr", "logging_collector=off", "log_checkpoints=off", "log_timezone=UTC", "timezone=UTC",
		"max_connections=200", "shared_buffers=128MB",
	}
	if o.Throwaway {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off",
			"wal_level=minimal", "max_wal_senders=0", "autovacuum=off", "max_connections=400")
	}
	args := make([]string, 0, 2*len(settings))
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	return args
}

// await returns once the server answers and has our database; an error when
// the process ends before that or takes longer than two minutes (recovery
// after a crash can be slow).
func (c *Cluster) await(ctx context.Context, s *server, port int) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	go func() {
		select {
		case <-s.exited:
			cancel()
		case <-ctx.Done():
		}
	}()
	var last error
	ready := func() bool {
		last = c.ensureDatabase(ctx, port)
		return last == nil
	}
	if !poll(ctx, 2*time.Minute, ready) {
		return fmt.Errorf("waiting for PostgreSQL: %w", last)
	}
	return nil
}

func (c *Cluster) ensureDatabase(ctx context.Context, port int) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, address(c.password, port, "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // nothing is lost with it
	var exists bool
	err = conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", database).Scan(&exists)
	if err == nil && !exists {
		_, err = conn.Exec(ctx, "create database "+database)
	}
	return err
}

func address(password string, port int, database string) string {
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword("heliograph", password),
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Path: "/" + database, RawQuery: "sslmode=disable",
	}
	return u.String()
}

// stop asks the server to end with sig, then with less courtesy.
func (s *server) stop(sig syscall.Signal) {
	for _, sig := range []syscall.Signal{sig, syscall.SIGQUIT, syscall.SIGKILL} {
		select {
		case <-s.exited: // its id may be another's by now
			return
		default:
			syscall.Kill(s.pid, sig) //nolint:errcheck // gone is what we want
		}
		select {
		case <-s.exited:
			return
		case <-time.After(30 * time.Second):
		}
	}
}

// explain turns what the server wrote before it ended into one error.
func explain(err error, log []byte) error {
	switch text := string(log); {
	case strings.Contains(text, "could not bind"):
		return errPort
	case strings.Contains(text, "shared memory block"):
		return errBusy
	default:
		return fmt.Errorf("PostgreSQL did not start: %w: %s", err, reason(log))
	}
}

// complaint is a line in which PostgreSQL's programs say why they end.
var complaint = regexp.MustCompile(`(?m)^.*(?:PANIC|FATAL|error): .*$`)

// reason returns the last complaint of a program, else its last lines.
func reason(out []byte) string {
	if all := complaint.FindAll(out, -1); len(all) > 0 {
		return string(all[len(all)-1])
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-3):], []byte("; ")))
}

// breakdown is a line with which PostgreSQL goes down by itself.
var breakdown = regexp.MustCompile(`(?m)^.*(?:PANIC: |No space left on device|out of memory).*$`)

// Breakdown returns the last line that tells of PostgreSQL going down by itself
// since Start, if any, and where its log lies.
func (c *Cluster) Breakdown() (line, log string) {
	log = c.folder.file("log")
	text, _ := os.ReadFile(log) // none says nothing
	if int64(len(text)) < c.logged {
		return "", log // truncated meanwhile
	}
	if all := breakdown.FindAll(text[c.logged:], -1); len(all) > 0 {
		line = string(all[len(all)-1])
	}
	return line, log
}

// freePort returns the wanted TCP port on the loopback if nobody has it, else
// one that is free.
func freePort(wanted int) (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(wanted)))
	if err != nil && wanted != 0 {
		return freePort(0)
	}
	if err != nil {
		return 0, fmt.Errorf("finding a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
