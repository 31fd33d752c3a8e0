package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/pipeline"
	"heliograph/app/people/notification"
	"heliograph/app/web"
	"heliograph/db"
	"heliograph/jobs"
)

func (p *platform) jobDeps() jobs.Deps {
	return jobs.Deps{
		Pool: p.pool, Keyring: p.keyring, Store: p.store, Anchors: p.anchors,
		Channels: p.channels, Carrier: p.carrier, Gateways: p.gateways, CarrierFiles: p.carrierFiles,
		Poster: p.outbound, Files: p.fetcher, Preparer: documentReader(), Documents: p.imports,
		Quotas: quotas(p.config), Product: p.config.ChannelWord, Courier: p.courier,
		Zone: p.config.Zone(), PublicURL: p.config.PublicURL,
		KeepUnverified: time.Duration(p.config.UnverifiedDays) * 24 * time.Hour,
	}
}

// workerProcess works the queues.
type workerProcess struct {
	platform *platform
	client   *river.Client[pgx.Tx]
	listener *db.Listener
	signals  *db.Signals
}

// newWorker builds a worker of the named queues, all of them for none.
func newWorker(p *platform, names []string) (*workerProcess, error) {
	queues, err := jobs.Only(names)
	if err != nil {
		return nil, err
	}
	listener := db.NewListener(p.pool)
	deps := p.jobDeps()
	deps.Settings = p.settings(listener)
	deps.Routes = pipeline.NewRoutes(p.pool, listener)
	deps.Signals = db.NewSignals(p.pool)
	p.signals = deps.Signals
	messages := notification.New(notification.Options{DB: p.pool, Settings: deps.Settings})
	p.measures.Budget = func(ctx context.Context) (float64, error) {
		b, err := messages.Budget(ctx, p.pool)
		return float64(b.Used) / float64(max(b.Limit, 1)), err
	}
	client, err := jobs.New(deps, queues, p.log)
	if err != nil {
		return nil, err
	}
	return &workerProcess{p, client, listener, deps.Signals}, nil
}

// run works until ctx ends, then finishes the jobs under way; those that take
// too long are given back for another worker.
func (w *workerProcess) run(ctx context.Context) error {
	_ = w.platform.clock.Check(ctx) // before anybody asks
	if addr := w.platform.config.OpsListen; addr != "" {
		stop, err := w.serveOps(ctx, addr)
		if err != nil {
			return err
		}
		defer stop()
	}
	// Jobs under way when ctx ends go on hearing of changes.
	beside, stop := context.WithCancel(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	wg.Go(func() { w.listener.Run(beside) })
	wg.Go(func() { w.signals.Run(beside) })
	wg.Go(func() { w.platform.files.Run(beside) })
	wg.Go(func() { w.platform.clock.Run(beside) })
	defer wg.Wait()
	defer stop()
	for w.platform.clock.Await(ctx, true) {
		if err := w.work(ctx); err != nil {
			return err
		}
	}
	return nil
}

// work works until ctx ends or the clock goes wrong. Retries and
// reports have the times of this process, so one with a wrong clock leaves the jobs to
// others, or to itself when it is right again.
func (w *workerProcess) work(ctx context.Context) error {
	if err := w.client.Start(ctx); err != nil {
		return fmt.Errorf("starting the worker: %w", err)
	}
	stopped := w.client.Stopped()
	watching, end := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if w.platform.clock.Await(watching, false) {
			_ = w.client.Stop(context.WithoutCancel(ctx)) // what is under way is finished
		}
	}()
	<-stopped
	end()
	<-watched // a client starts again only when Stop has returned
	return nil
}

// serveOps gives operators the worker's health and metrics.
func (w *workerProcess) serveOps(ctx context.Context, addr string) (stop func(), err error) {
	ops := web.Ops(web.OpsDeps{
		Pool: w.platform.pool, Keyring: w.platform.keyring, Registry: w.platform.registry, MetricsNetworks: w.platform.config.MetricsNetworks,
		Draining: func() bool { return ctx.Err() != nil }, Storage: w.platform.files, Clock: w.platform.clock,
	})
	server := &http.Server{
		Addr: addr, Handler: ops, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.ListenAndServe() }()
	select {
	case err := <-failed:
		if !errors.Is(err, http.ErrServerClosed) {
			return nil, fmt.Errorf("serving OPS_LISTEN: %w", err)
		}
	case <-time.After(100 * time.Millisecond): // a taken port shows at once
	}
	return func() { _ = server.Close() }, nil
}
