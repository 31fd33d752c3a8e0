package dev

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"heliograph/app/runtest"

	"github.com/jackc/pgx/v5"
)

// childFolder makes this test binary start a cluster there, say so, and wait
// to be killed.
const childFolder = "HELIOGRAPH_DEV_TEST_FOLDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childFolder); dir != "" {
		c, err := Start(context.Background(), dir, Options{Throwaway: true})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("started")
		<-c.Done()
	}
	runtest.InMemory()
	runtest.Overlap(4)
	status := m.Run()
	if prototype.folder != "" {
		if err := os.RemoveAll(prototype.folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// prototype is a folder with a cluster that was made and stopped, for tests that are
// not about making one: that takes most of the time of a first start.
var prototype struct {
	once   sync.Once
	folder string
	err    error
}

func makePrototype() {
	p := &prototype
	if p.folder, p.err = os.MkdirTemp("", "heliograph-cluster"); p.err != nil {
		return
	}
	var c *Cluster
	if c, p.err = Start(context.Background(), p.folder, Options{}); p.err == nil {
		p.err = c.Stop()
	}
}

// prepare puts a copy of the prototype into a folder.
func prepare(t *testing.T, dir string) {
	t.Helper()
	if prototype.once.Do(makePrototype); prototype.err != nil {
		t.Fatal(prototype.err)
	}
	for _, name := range []string{"data", "password"} {
		if out, err := exec.CommandContext(t.Context(), "cp", "-a", filepath.Join(prototype.folder, name), dir).CombinedOutput(); err != nil {
			t.Fatalf("copying a cluster: %v\n%s", err, out)
		}
	}
}

func TestClusterKeepsItsDataAndPort(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, dir)
	run(t, first, "create table kept (n int); insert into kept values (42)")
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	second := start(t, dir)
	if second.URL != first.URL {
		t.Errorf("second start is at %s, want %s", second.URL, first.URL)
	}
	if got := number(t, second, "select n from kept"); got != 42 {
		t.Errorf("the row reads %d after a restart, want 42", got)
	}
}

func TestClusterIsStartedAgainWhenItDies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	prepare(t, dir)
	c := start(t, dir)
	run(t, c, "create table kept (n int); insert into kept values (7)")
	pid := postmaster(t, c.folder)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	back := func() bool { return try(c, "insert into kept values (8)") == nil }
	if !poll(t.Context(), time.Minute, back) {
		t.Fatal("the server did not come back")
	}
	if got := number(t, c, "select min(n) from kept"); got != 7 {
		t.Errorf("the row reads %d after the crash, want 7", got)
	}
}

func TestClusterEndsWithItsKilledProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), childFolder+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal("the child did not start a cluster: ", err)
	}
	f := folder{path: dir}
	pid := postmaster(t, f)
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait()                                          //nolint:errcheck // killed
	gone := func() bool { return !serves(pid, f.data()) } // another may have its number
	if !poll(t.Context(), 20*time.Second, gone) {
		t.Errorf("PostgreSQL (process %d) outlived the process that started it", pid)
	}
}

func TestStartStopsALeftoverServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	prepare(t, dir)
	first := start(t, dir)
	left := postmaster(t, first.folder)
	// As if the process had died without the kernel ending the server.
	if err := first.folder.release(); err != nil {
		t.Fatal(err)
	}
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.release()
	if err := f.endLeftover(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The first cluster's keeper starts another one: only the old must be gone.
	if serves(left, f.data()) {
		t.Errorf("process %d still serves the folder", left)
	}
}

func TestStartIgnoresAStalePidFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	prepare(t, dir)
	if err := start(t, dir).Stop(); err != nil {
		t.Fatal(err)
	}
	// Our own id: alive, and not a server.
	stale := filepath.Join(dir, "data", "postmaster.pid")
	if err := os.WriteFile(stale, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, start(t, dir), "select 1")
}

func TestStartSaysWhatToDo(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		arrange func(t *testing.T, dir string)
		want    string
	}{
		"in use": {func(t *testing.T, dir string) {
			prepare(t, dir)
			start(t, dir)
		}, "is in use by process " + strconv.Itoa(os.Getpid())},
		"half-made": {func(t *testing.T, dir string) { write(t, dir, "data/base/1", "") }, "is not a complete PostgreSQL data folder"},
		"other version": {func(t *testing.T, dir string) {
			write(t, dir, "data/PG_VERSION", "9\n")
			write(t, dir, "data/global/pg_control", "")
		}, "the data was made by PostgreSQL 9"},
		"lost password": {func(t *testing.T, dir string) {
			prepare(t, dir)
			if err := os.Remove(filepath.Join(dir, "password")); err != nil {
				t.Fatal(err)
			}
		}, "the password of the database in "},
		"not a folder": {func(t *testing.T, dir string) {
			if err := os.Remove(dir); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Dir(dir), filepath.Base(dir), "")
		}, "cannot be written"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "cluster")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			c.arrange(t, dir)
			_, err := Start(t.Context(), dir, Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Start = %v, want %q", err, c.want)
			}
		})
	}
}

func TestJoinUsesWhatRunsOrStartsIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if url, _, err := Join(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "there is no database in ") {
		t.Errorf("an empty folder gives %q, %v", url, err)
	}
	prepare(t, dir)
	c := start(t, dir)
	run(t, c, "create table kept (n int); insert into kept values (42)")
	for _, ends := range []bool{false, true} {
		if ends {
			if err := c.Stop(); err != nil {
				t.Fatal(err)
			}
		}
		url, leave, err := Join(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		joined := &Cluster{URL: url}
		if got := number(t, joined, "select n from kept"); got != 42 {
			t.Errorf("the row reads %d, want 42", got)
		}
		if err := leave(); err != nil {
			t.Fatal(err)
		}
		if err := try(joined, "select 1"); (err != nil) != ends {
			t.Errorf("after leaving, with a cluster of its own %v, the server answers %v", ends, err)
		}
	}
}

func TestAnInterruptedStartIsDoneOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "data.new/PG_VERSION", "15\n")
	// A last process of it is still writing.
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 2000 {
			os.WriteFile(filepath.Join(dir, "data.new", strconv.Itoa(i)), nil, 0o600) //nolint:errcheck // the folder goes away under it
		}
	}()
	if err := removeLeftover(t.Context(), filepath.Join(dir, "data.new")); err != nil {
		t.Error(err)
	}
	<-done
	run(t, start(t, dir), "select 1")
}

// What is written when a disk is full is what is said.
func TestReasonIsTheComplaint(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"creating\nFATAL:  could not write: No space left on device\n\t\nchild process exited\ninitdb: removing contents": "FATAL:  could not write: No space left on device",
		"one\ntwo\nthree\nfour\n":                                     "two; three; four",
		"initdb: error: no such locale\ninitdb: hint: choose another": "initdb: error: no such locale",
	} {
		if got := reason([]byte(said)); got != want {
			t.Errorf("the reason in %q is %q, want %q", said, got, want)
		}
	}
}

func TestBreakdownIsOfThisStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	prepare(t, dir)
	write(t, dir, "log", "PANIC:  of last week\n")
	c := start(t, dir)
	if line, log := c.Breakdown(); line != "" || log != filepath.Join(dir, "log") {
		t.Errorf("a start tells of %q in %s", line, log)
	}
	f, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("PANIC:  could not write: No space left on device\n"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if line, _ := c.Breakdown(); line != "PANIC:  could not write: No space left on device" {
		t.Errorf("Breakdown returned %q", line)
	}
}

// Root takes the user for PostgreSQL who has the data already.
func TestRootRunsAsWhoHasTheData(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, 12345, 12346); err != nil {
		t.Fatal(err)
	}
	o, err := findOwner(dir)
	if err != nil || o.credential == nil || o.credential.Uid != 12345 || o.credential.Gid != 12346 {
		t.Errorf("findOwner = %+v, %v", o, err)
	}
}

func TestThrowawayBeginsAnewAndLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := Start(t.Context(), dir, Options{Throwaway: true})
	if err != nil {
		t.Fatal(err)
	}
	run(t, c, "create table gone ()")
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(c.folder.data()); !os.IsNotExist(err) {
		t.Errorf("the data is still there: %v", err)
	}
}

func start(t *testing.T, dir string) *Cluster {
	t.Helper()
	c, err := Start(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Stop() //nolint:errcheck // some tests have stopped it already
	})
	return c
}

func try(c *Cluster, sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.URL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

func run(t *testing.T, c *Cluster, sql string) {
	t.Helper()
	if err := try(c, sql); err != nil {
		t.Fatal(err)
	}
}

func number(t *testing.T, c *Cluster, sql string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), c.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func postmaster(t *testing.T, f folder) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.data(), "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil || !serves(pid, f.data()) {
		t.Fatalf("process %q does not serve %s: %v", first, f.data(), err)
	}
	return pid
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
