package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"heliograph/app/catalogue"
	"heliograph/app/identity"
	"heliograph/app/messaging"
	"heliograph/app/outbound"
	"heliograph/app/web"
	"heliograph/app/web/api"
	"heliograph/db"
	"heliograph/jobs"
)

// webProcess is the HTTP side: portal and channel APIs.
type webProcess struct {
	platform   *platform
	server     *web.Server
	background []func(context.Context) // run beside the server and end after it
}

// webhookGuard lets the messaging rules check a webhook with the client that
// will dial it.
type webhookGuard struct{ client *outbound.Client }

// CheckWebhook refuses addresses and headers that the relay would refuse.
func (g webhookGuard) CheckWebhook(_ context.Context, url string, headers map[string]string) error {
	if err := outbound.CheckHeaders(headers); err != nil {
		return err
	}
	_, err := g.client.CheckURL(url)
	return err
}

// newWeb builds the web process and reads the published documentation.
func newWeb(ctx context.Context, p *platform) (*webProcess, error) {
	inserter, err := jobs.New(p.jobDeps(), nil, p.log)
	if err != nil {
		return nil, err
	}
	listener := db.NewListener(p.pool)
	keys := identity.NewKeys(p.pool, listener)
	service := messaging.New(messaging.Options{
		Pool: p.pool, Listener: listener, Keyring: p.keyring, Jobs: inserter,
		Guard: webhookGuard{p.outbound}, Words: slices.Concat([]string{p.config.ChannelWord}, p.config.ChannelAliases),
	})
	published := catalogue.New(p.pool, listener)
	if err := published.Refresh(ctx); err != nil {
		return nil, err
	}
	channel := api.NewMessaging(keys, service, p.config.PublicURL)
	server, err := web.New(web.Deps{
		Config: p.config, Keyring: p.keyring, DB: p.pool, Pool: p.pool, Registry: p.registry, Log: p.log,
		APIs: []web.API{{Name: "messaging", Prefix: api.Prefix, Handle: channel.Handle, Fail: channel.Fail}},
	})
	if err != nil {
		return nil, fmt.Errorf("making the server: %w", err)
	}
	return &webProcess{p, server, []func(context.Context){listener.Run, keys.Run, service.Run, published.Run}}, nil
}

// shutdownTimeout is how long requests under way may take when the process is
// told to stop.
const shutdownTimeout = 30 * time.Second

// run serves on the listener until ctx ends, then lets balancers notice,
// finishes the requests under way and stops what ran beside them.
func (w *webProcess) run(ctx context.Context, listener net.Listener) error {
	beside, stop := context.WithCancel(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	for _, run := range w.background {
		wg.Go(func() { run(beside) })
	}
	defer wg.Wait()
	defer stop()

	server := w.server.HTTPServer(listener.Addr().String())
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	w.server.Drain()
	time.Sleep(w.platform.config.DrainDelay)
	bounded, cancel := context.WithTimeout(beside, shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(bounded); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("some requests were cut off: %w", err)
	}
	return nil
}
