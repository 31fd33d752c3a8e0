package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"heliograph/app/channels"
	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/webhookrange"
	"heliograph/app/config"
	"heliograph/app/documentation/importing"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/metric"
	"heliograph/app/operation/setting"
	"heliograph/app/outbound"
	"heliograph/app/trace"
	"heliograph/db"
	"heliograph/storage"
)

// platform is what every long-running command stands on.
type platform struct {
	config   *config.Config
	log      *slog.Logger
	pool     *pgxpool.Pool
	keyring  *keyring.Keyring
	store    storage.Store
	anchors  storage.Store // of the audit
	files    *storage.Health
	clock    *db.Clock
	channels pipeline.Channels // passed to everything that works with messages
	ranges   *webhookrange.Service
	outbound *outbound.Client
	fetcher  *outbound.Client // requests the files of messages
	imports  *outbound.Client // requests documents to import
	gateways *outbound.Client // dials carriers and other services that the operator chose
	// carrierFiles moves files to and from carriers.
	carrierFiles *outbound.Client
	courier      *outbound.Courier
	carrier      outbound.Carrier
	registry     *prometheus.Registry
	measures     *metric.Database
	// signals tell open pages what changed; nil until a process has some.
	signals *db.Signals
	closers []func()
}

// signal tells open pages that something of an organisation changed.
func (p *platform) signal(topic string, organisationID int64) { p.signals.Add(topic, organisationID) }

// connectionShare is the part of the database's connections that one process takes
// at most, unless DATABASE_CONNS sets a number. Two workers leave a third to web
// processes.
const connectionShare = 1. / 3

// openPlatform opens what the configuration names. conns is how many database
// connections the command wants when DATABASE_CONNS does not say.
func openPlatform(ctx context.Context, c *config.Config, application string, conns int32) (p *platform, err error) {
	log, flush := newLog(c)
	p = &platform{config: c, log: log, channels: channels.Declared(), registry: prometheus.NewRegistry(), closers: []func(){flush}}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	p.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if p.keyring, err = keyring.New(c.EncryptionKeys); err != nil {
		return p, err
	}
	share := connectionShare
	if c.DatabaseConns > 0 {
		conns, share = c.DatabaseConns, 0
	}
	if p.pool, err = db.Open(ctx, c.DatabaseURL, db.Options{MaxConns: conns, Application: application, Share: share}); err != nil {
		return p, err
	}
	p.closers = append(p.closers, p.pool.Close)
	if err := p.startTraces(ctx); err != nil {
		return p, err
	}
	p.clock = db.NewClock(p.pool)
	metric.Register(p.registry)
	metric.RegisterClock(p.registry, p.clock.Offset)
	p.measures = metric.NewDatabase(p.pool)
	p.registry.MustRegister(p.measures)
	if p.store, p.anchors, err = openStores(ctx, c, p.keyring, log); err != nil {
		return p, err
	}
	p.files = storage.NewHealth(p.store, p.anchors)
	metric.RegisterStorage(p.registry, p.files.Available)
	p.ranges = webhookrange.New(webhookrange.Options{Channels: p.channels, DB: p.pool, Keyring: p.keyring, PublicURL: c.PublicURL, Signals: p.signal})
	p.outbound = outbound.New(outbound.Options{AllowLoopback: c.AllowLoopbackWebhooks, Denied: c.DeniedNetworks, Inside: p.ranges})
	p.fetcher = outbound.New(outbound.Options{AllowLoopback: c.AllowLoopbackWebhooks, Denied: c.DeniedNetworks, MaxBody: media.MaxSize, HeaderTimeout: 10 * time.Second, Timeout: time.Minute})
	p.imports = outbound.New(outbound.Options{AllowLoopback: c.AllowLoopbackWebhooks, Denied: c.DeniedNetworks, MaxBody: importing.MaxBytes, Timeout: 30 * time.Second})
	p.gateways = outbound.New(outbound.Options{Idle: carry.Handovers, AllowLoopback: c.AllowLoopbackWebhooks, Denied: c.DeniedNetworks, Networks: c.CarrierNetworks})
	p.carrierFiles = outbound.New(outbound.Options{
		AllowLoopback: c.AllowLoopbackWebhooks,
		Denied:        c.DeniedNetworks,
		Networks:      c.CarrierNetworks,
		MaxBody:       media.MaxSize,
		Timeout:       2 * time.Minute,
	})
	p.courier = outbound.NewCourier(outbound.CourierOptions{
		Client: p.outbound, MailNetworks: c.MailNetworks, AllowLoopback: c.AllowLoopbackWebhooks, Denied: c.DeniedNetworks,
	})
	calls, err := openCarrierLog(c.CarrierLog)
	if err != nil {
		return p, err
	}
	p.carrier = outbound.NewVirtual(calls)
	return p, nil
}

// startTraces sends traces if the configuration asks for them. What is left is sent
// at the end.
func (p *platform) startTraces(ctx context.Context) error {
	if !p.config.Traces() {
		return nil
	}
	stop, err := trace.Start(ctx, metric.Version())
	if err != nil {
		return err
	}
	p.closers = append(p.closers, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if err := stop(ctx); err != nil {
			p.log.Warn("the last traces could not be sent", "error", err)
		}
	})
	return nil
}

// settings reads and changes what Super Admins decide; call it before
// listener.Run.
func (p *platform) settings(listener *db.Listener) *setting.Settings {
	return setting.New(setting.Options{
		DB: p.pool, Listener: listener, Keyring: p.keyring, Guard: outbound.Guard{Client: p.outbound}, PlainSMTP: !p.config.Production(),
	})
}

// close undoes what openPlatform did, the last first.
func (p *platform) close() {
	for i := len(p.closers) - 1; i >= 0; i-- {
		p.closers[i]()
	}
}

// openStores opens the storage of files and the storage of the audit's anchors, which
// may have a bucket of their own.
func openStores(ctx context.Context, c *config.Config, k *keyring.Keyring, log *slog.Logger) (files, anchors storage.Store, err error) {
	if c.StorageEndpoint == "" {
		if c.StorageFolder == "" {
			return nil, nil, fmt.Errorf("no storage is configured: set STORAGE_ENDPOINT, or STORAGE_FOLDER for development")
		}
		folder, err := storage.OpenFolder(c.StorageFolder, c.PublicURL, k.Subkey("files"))
		return folder, folder, err
	}
	o := storage.S3Options{
		Endpoint: c.StorageEndpoint, TLS: c.StorageTLS, Region: c.StorageRegion, Bucket: c.StorageBucket,
		AccessKey: c.StorageAccessKey, SecretKey: c.StorageSecretKey, CreateBucket: true,
	}
	bucket, err := openBucket(ctx, o, log)
	if err != nil || c.StorageAuditBucket == "" {
		return bucket, bucket, err
	}
	o.Bucket, o.ObjectLock = c.StorageAuditBucket, true
	locked, err := openBucket(ctx, o, log)
	return bucket, locked, err
}

// openBucket opens a bucket. A server that does not answer is no error, because
// most of the platform works without files.
func openBucket(ctx context.Context, o storage.S3Options, log *slog.Logger) (storage.Store, error) {
	bucket, err := storage.OpenS3(ctx, o)
	if fault.Is(err, fault.Unavailable) && ctx.Err() == nil {
		log.WarnContext(ctx, "the file storage does not answer; what needs files fails until it does", "bucket", o.Bucket, "error", err)
		err = nil
	}
	return bucket, err
}

// openCarrierLog opens the drill log; several processes may append to it.
func openCarrierLog(path string) (io.Writer, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening CARRIER_LOG: %w", err)
	}
	return file, nil
}

// withPlatform opens the platform for a one-off command on a data folder, which
// may be empty, and closes it after do. name is how the command calls itself to
// the database.
func (t terminal) withPlatform(ctx context.Context, data, name string, do func(*platform) error) error {
	s, err := loadSite(t, data, config.Everything)
	if err != nil {
		return err
	}
	p, err := s.open(ctx, name)
	if err != nil {
		return err
	}
	defer p.close()
	return do(p)
}
