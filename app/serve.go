package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"

	"heliograph/app/config"
	"heliograph/app/operation/setting"
	"heliograph/db"
)

// runWeb is the command web: it serves LISTEN until it is stopped.
func runWeb(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "web")
	serve := flags.String("serve", "", "comma-separated `names` of what to serve: "+strings.Join(surfaces, ", ")+" (default all)")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	c, err := config.Load(t.environ, config.Everything)
	if err != nil {
		return err
	}
	listener, err := listen(c.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is taken: stop the program that listens there, or set LISTEN to another address", c.Listen)
	}
	if err != nil {
		return fmt.Errorf("listening on LISTEN: %w", err)
	}
	defer listener.Close()
	p, err := openMigrated(ctx, c, "web", 20)
	if err != nil {
		return err
	}
	defer p.close()
	w, err := newWeb(p, list(*serve))
	if err != nil {
		return err
	}
	p.log.Info("serving", "listen", listener.Addr().String(), "url", c.PublicURL, "database_connections", p.connections())
	return w.run(ctx, listener)
}

// listen opens a port for plain TCP: Linux has no filters for multipath TCP, which is
// Go's default, and drainListener needs one.
func listen(address string) (net.Listener, error) {
	var config net.ListenConfig
	config.SetMultipathTCP(false)
	return config.Listen(context.Background(), "tcp", address)
}

// workerConns is how many database connections a worker opens. Its jobs share commits,
// so more of them do not make it faster: BenchmarkBacklog carried a quarter fewer
// messages through thirty.
const workerConns = 16

// runWorker is the command worker: it works the queues until it is
// stopped.
func runWorker(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "worker")
	queues := flags.String("queues", "", "comma-separated `names` of the queues to work (default all)")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	c, err := config.Load(t.environ, config.Everything)
	if err != nil {
		return err
	}
	p, err := openMigrated(ctx, c, "worker", workerConns)
	if err != nil {
		return err
	}
	defer p.close()
	w, err := newWorker(p, list(*queues))
	if err != nil {
		return err
	}
	// The jobs that it takes carry this id.
	p.log.Info("working", "queues", *queues, "client_id", w.client.ID(), "database_connections", p.connections())
	return w.run(ctx)
}

// connections returns how many database connections the process opens at most: its
// pool and its listener.
func (p *platform) connections() int32 { return p.pool.Config().MaxConns + 1 }

// list reads a comma-separated flag.
func list(names string) []string {
	return strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' })
}

// openMigrated opens the platform on a schema that this program can work with and
// with keys that open what is stored.
func openMigrated(ctx context.Context, c *config.Config, application string, conns int32) (*platform, error) {
	p, err := openPlatform(ctx, c, application, conns)
	if err != nil {
		return nil, err
	}
	current, err := db.Current(ctx, p.pool)
	if err != nil || !current {
		p.close()
		return nil, errors.Join(errors.New("the database's schema is older than this program: run heliograph migrate first"), err)
	}
	if err := setting.CheckKeys(ctx, p.pool, p.keyring); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}
