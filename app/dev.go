package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"heliograph/app/config"
	"heliograph/app/documentation/editorial"
	"heliograph/app/operation/setting"
	"heliograph/db"
	"heliograph/db/dev"
	"heliograph/db/seed"
)

// runDev is the command dev: everything on this machine, in one process and
// one folder, until it is stopped.
func runDev(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "dev")
	port := flags.Int("port", 8080, "`port` to serve on; 0 picks a free one")
	path := flags.String("data", ".data", "`folder` for the database, files and keys")
	fresh := flags.Bool("fresh", false, "discard the data and start again")
	to := flags.String("to", "", "`address` that gets the callbacks of the sandbox organisation, as by heliograph listen")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	c, err := loadDevelopment(t)
	if err != nil {
		return err
	}
	if *fresh && c.DatabaseURL != "" {
		return errors.New("--fresh discards a database of its own only: unset DATABASE_URL, or leave --fresh out")
	}
	var receiver *url.URL
	if *to != "" {
		if receiver, err = parseReceiver(*to); err != nil {
			return err
		}
	}
	// Report a port in use before anything is started.
	listener, err := listenLocally(*port)
	if err != nil {
		return err
	}
	defer listener.Close()
	folder, err := openDataFolder(ctx, *path, *fresh)
	if err != nil {
		return err
	}
	address := fmt.Sprintf("http://localhost:%d", listener.Addr().(*net.TCPAddr).Port)
	if err := folder.complete(c, t.environ, address); err != nil {
		return err
	}
	cluster, err := folder.startDatabase(ctx, c)
	if err != nil {
		return err
	}
	err = serveDev(ctx, t.out, devProcess{c, folder, cluster, listener, receiver})
	if cluster == nil {
		return err
	}
	if line, log := cluster.Breakdown(); err != nil && line != "" {
		err = fmt.Errorf("%w\nPostgreSQL broke down, its log is %s:\n%s", err, log, line)
	}
	return errors.Join(err, cluster.Stop())
}

// loadDevelopment reads the settings of what works on a data folder.
func loadDevelopment(t terminal) (*config.Config, error) {
	c, err := config.Load(t.environ, config.Nothing)
	if err == nil && c.Production() {
		err = errors.New("a data folder is for development: unset HELIOGRAPH_ENV, or run heliograph web and heliograph worker")
	}
	return c, err
}

// devProcess is what dev has set up before it serves.
type devProcess struct {
	config   *config.Config
	folder   dataFolder
	cluster  *dev.Cluster // nil when DATABASE_URL names another database
	listener net.Listener
	receiver *url.URL // of callbacks; nil for none
}

// serveDev fills the database and runs web and worker beside each other; when
// one ends, or the database for good, so does the other.
func serveDev(ctx context.Context, out io.Writer, d devProcess) error {
	p, err := openPlatform(ctx, d.config, "dev", 40)
	if err != nil {
		return err
	}
	defer p.close()
	if err := db.Migrate(ctx, p.pool); err != nil {
		return err
	}
	if err := setting.CheckKeys(ctx, p.pool, p.keyring); err != nil {
		return err
	}
	if err := editorial.Seed(ctx, p.pool, seed.Files); err != nil {
		return err
	}
	w, err := newWeb(p, nil)
	if err != nil {
		return err
	}
	worker, err := newWorker(p, nil)
	if err != nil {
		return err
	}
	access, err := d.folder.ensureAccess(ctx, p)
	if err != nil {
		return err
	}
	database := "" // not somebody else's, with its password
	if d.cluster != nil {
		database = d.cluster.URL
	}
	access.print(out, d.folder.path, database)

	running, stop := context.WithCancel(ctx)
	defer stop()
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i, run := range []func(context.Context) error{
		func(ctx context.Context) error { return w.run(ctx, d.listener) },
		worker.run,
		func(ctx context.Context) error { return watch(ctx, d.cluster) },
		func(ctx context.Context) error { return d.relay(ctx, out, access) },
	} {
		wg.Go(func() {
			defer stop()
			// What was still starting when the other ended is no error.
			if err := run(running); !errors.Is(err, context.Canceled) {
				errs[i] = err
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// relay passes the callbacks of the sandbox organisation on to the receiver, beside its
// webhooks. Without a receiver, and when its key was revoked, it waits for the end.
func (d devProcess) relay(ctx context.Context, out io.Writer, a access) error {
	if d.receiver == nil {
		<-ctx.Done()
		return nil
	}
	l := newListenCall(out)
	l.portal, l.key, l.to = a.URL, a.Organisation.APIKey, d.receiver
	l.load(filepath.Join(d.folder.path, "listen"))
	if err := l.run(ctx); err != nil {
		fmt.Fprintf(out, "Callbacks are not relayed: %v\n", err)
		<-ctx.Done()
	}
	return nil
}

// watch returns when the database is gone for good or ctx ends.
func watch(ctx context.Context, cluster *dev.Cluster) error {
	if cluster == nil {
		<-ctx.Done()
		return nil
	}
	select {
	case <-ctx.Done():
		return nil
	case <-cluster.Done():
		return cluster.Err()
	}
}

// listenLocally takes a port of the loopback: what dev runs is for this
// machine alone.
func listenLocally(port int) (net.Listener, error) {
	listener, err := listen(net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d is taken: stop the program that uses it, or choose another with --port (0 picks a free one)", port)
	}
	if err != nil {
		return nil, fmt.Errorf("port %d cannot be used, choose another with --port: %w", port, err)
	}
	return listener, nil
}

// startDatabase runs the private cluster unless DATABASE_URL names another.
func (f dataFolder) startDatabase(ctx context.Context, c *config.Config) (*dev.Cluster, error) {
	if c.DatabaseURL != "" {
		return nil, nil
	}
	cluster, err := dev.Start(ctx, filepath.Join(f.path, "postgres"), dev.Options{})
	if err != nil {
		return nil, err
	}
	c.DatabaseURL = cluster.URL
	return cluster, nil
}
