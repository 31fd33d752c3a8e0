package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"heliograph/app/channels/messaging"
	files "heliograph/app/channels/messaging/media"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	refused "heliograph/app/channels/refusal"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/simulate"
	"heliograph/app/channels/sms"
	"heliograph/app/config"
	"heliograph/app/documentation/card"
	"heliograph/app/documentation/importing"
	"heliograph/app/documentation/media"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/app/documentation/search"
	"heliograph/app/operation/insight"
	"heliograph/app/operation/theme"
	"heliograph/app/outbound"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/app/web"
	"heliograph/app/web/api"
	"heliograph/db"
	"heliograph/jobs"
	"heliograph/jobs/args"
)

// webProcess is the HTTP side: portal and channel APIs.
type webProcess struct {
	platform   *platform
	server     *web.Server
	published  *published.Documentation // nil where the portal is not served
	themes     *theme.Themes            // likewise
	background []func(context.Context)  // run beside the server and end after it
}

// surfaces are what a web process can serve.
var surfaces = []string{"messaging", "portal", "rcs", "sms"}

// newWeb builds a web process of the named surfaces, all of them for none.
func newWeb(p *platform, serve []string) (*webProcess, error) {
	if len(serve) == 0 {
		serve = surfaces
	}
	for _, name := range serve {
		if !slices.Contains(surfaces, name) {
			return nil, fmt.Errorf("there is nothing to serve by the name %q: choose from %s", name, strings.Join(surfaces, ", "))
		}
	}
	w := &webProcess{platform: p}
	listener, signals := db.NewListener(p.pool), db.NewSignals(p.pool)
	p.signals = signals
	inserter, err := jobs.New(p.jobDeps(), nil, p.log)
	if err != nil {
		return nil, err
	}
	deps := web.Deps{Config: p.config, Keyring: p.keyring, DB: p.pool, Channels: p.channels, Pool: p.pool, Registry: p.registry, Log: p.log, Listener: listener}
	deps.Jobs, deps.Signals, deps.Storage, deps.Clock = inserter, signals, p.files, p.clock
	deps.Imports = importing.New(importing.Deps{DB: p.pool, Store: p.store, Jobs: inserter, Signals: signals})
	deps.Settings = p.settings(listener)
	deps.Notifications = notification.New(notification.Options{
		DB: p.pool, Keyring: p.keyring, Settings: deps.Settings, Jobs: inserter, Courier: p.courier,
	})
	deps.Provision, deps.Carriers = p.provision, newCarriers(p)
	deps.Webhooks = messaging.NewWebhooks(messaging.WebhookOptions{
		DB: p.pool, Keyring: p.keyring, Jobs: inserter, Guard: outbound.Guard{Client: p.outbound}, Product: p.config.ChannelWord,
	})
	if slices.Contains(serve, "portal") {
		deps.Themes = theme.New(p.pool, p.store, listener)
		w.themes = deps.Themes
		w.background = append(w.background, deps.Themes.Run)
		deps.Documentation = published.New(p.pool, listener)
		deps.Serves, deps.Accepts, deps.Cards = api.Serves, api.Accepts, card.New(p.store)
		deps.Media = media.New(media.Options{DB: p.pool, Store: p.store, Jobs: inserter, Limits: deps.Settings, Listener: listener})
		deps.SDKs = &builds.Service{DB: p.pool, Store: p.store}
		deps.Console = outbound.NewConsole(p.config.DeniedNetworks)
		deps.Callbacks = callbackSigner{}
		deps.Documentation.ServeFrom(p.config.PublicURL)
		deps.Documentation.SetBudget(p.config.DocumentationMemory << 20)
		w.published = deps.Documentation
		deps.Search = search.New(p.pool, listener)
		w.background = append(w.background, deps.Documentation.Run, deps.Search.Run)
	}
	deps.Ranges = p.ranges
	deps.Insight = insight.NewCounter(p.pool, p.config.Zone())
	deps.Refusals = refused.NewLog(p.pool)
	w.background = append(w.background, deps.Insight.Run, deps.Refusals.Run)
	deps.SMS = sms.NewRegistry(p.pool, w.endpoints(inserter))
	keys, load := identity.NewKeys(p.pool, listener), api.NewLoad(api.StandardLoad(int64(p.config.APIMemory)<<20, p.config.APIRequests))
	w.background = append(w.background, keys.Run)
	deps.Authenticate, deps.CheckURL = keys.Authenticate, outbound.Guard{Client: p.outbound}.CheckURL
	channels := w.newServices(listener, signals, inserter)
	channels.rcs.Desk.Mail = deps.Notifications
	deps.RCS = channels.rcs
	deps.Sandbox = &simulate.Sandbox{DB: p.pool, Webhooks: deps.Webhooks, Messaging: channels.messaging, SMS: channels.sms, RCS: channels.rcs}
	deps.APIs = w.newAPIs(serve, keys, channels, load)
	if len(deps.APIs) > 0 {
		reports := api.NewReports(
			&pipeline.Receiver{DB: p.pool, Keyring: p.keyring, Jobs: inserter, Channels: p.channels, Signals: signals},
			&rcs.CarrierEvents{DB: p.pool, Keyring: p.keyring, Jobs: inserter, Channels: p.channels, Signals: signals},
			&messaging.Upstreams{DB: p.pool, Keyring: p.keyring, Jobs: inserter},
			int(p.pool.Config().MaxConns/2),
		)
		deps.APIs = append(deps.APIs, reports.API())
	}
	if w.server, err = web.New(deps); err != nil {
		return nil, fmt.Errorf("making the server: %w", err)
	}
	w.background = append(w.background, w.server.Run, signals.Run, listener.Run, p.files.Run, p.clock.Run, tuneMemory)
	return w, nil
}

func rates(c *config.Config) messaging.Rates {
	return messaging.Rates{
		Live:       messaging.SendRates{Phone: c.RatePhone, Pair: c.RatePair},
		Sandbox:    messaging.SendRates{Phone: c.RateSandboxPhone, Pair: c.RateSandboxPair},
		Management: c.RateManagement, Templates: c.RateTemplates, Catalogue: c.RateCatalogue,
	}
}

func quotas(c *config.Config) files.Quotas {
	return files.Quotas{Stored: int64(c.StoredFiles) << 20, Daily: int64(c.DailyUploads) << 20}
}

// endpoints returns what manages the addresses of callbacks.
func (w *webProcess) endpoints(inserter args.Inserter) *relay.Endpoints {
	p := w.platform
	return relay.NewEndpoints(relay.Options{DB: p.pool, Keyring: p.keyring, Jobs: inserter, Guard: outbound.Guard{Client: p.outbound}})
}

// shutdownTimeout is how long open requests may take when the process is
// stopped.
const shutdownTimeout = 30 * time.Second

// run reads what is published, serves on the listener until ctx ends, then lets
// balancers notice, finishes the requests under way and stops what ran beside
// them.
func (w *webProcess) run(ctx context.Context, listener net.Listener) error {
	if w.published != nil {
		if err := w.published.Refresh(ctx); err != nil {
			return err
		}
		if err := w.themes.Refresh(ctx); err != nil {
			return err
		}
	}
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
	if err := drainListener(listener); err != nil {
		w.platform.log.Warn("connections that are being opened will be reset", "error", err)
	}
	bounded, cancel := context.WithTimeout(beside, shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(bounded); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("some requests were cut off: %w", err)
	}
	return nil
}
