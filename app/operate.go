package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"

	"heliograph/app/config"
	"heliograph/db"
	"heliograph/db/dev"
)

// site is what a command that does one thing works on: what the environment
// names or, with --data, what heliograph dev keeps in a folder, whether dev
// runs or not.
type site struct {
	*config.Config
	data string // the folder; empty without --data
}

// dataFlag adds --data to the flags of such a command.
func dataFlag(flags *flag.FlagSet) *string {
	return flags.String("data", "", "`folder` of heliograph dev to work on, such as .data (default: what the environment names)")
}

// loadSite reads the settings; nothing is opened yet.
func loadSite(t terminal, data string, needs config.Needs) (site, error) {
	if data == "" {
		c, err := config.Load(t.environ, needs)
		return site{c, ""}, err
	}
	c, err := loadDevelopment(t)
	if err != nil {
		return site{}, err
	}
	folder := dataFolder{data}
	a, err := folder.readAccess()
	if err != nil {
		return site{}, err
	}
	if a.URL == "" {
		return site{}, fmt.Errorf("%s was not made by heliograph dev: name the folder of its --data, which is .data unless chosen otherwise", data)
	}
	if err := folder.complete(c, t.environ, a.URL); err != nil {
		return site{}, err
	}
	return site{c, data}, nil
}

// database makes DatabaseURL name a database that runs until leave is called.
func (s site) database(ctx context.Context) (leave func(), err error) {
	if s.DatabaseURL != "" {
		return func() {}, nil
	}
	url, stop, err := dev.Join(ctx, filepath.Join(s.data, "postgres"))
	if err != nil {
		return nil, err
	}
	s.DatabaseURL = url
	return func() { _ = stop() }, nil // what was done is committed
}

// open opens the platform on a schema that this program can work with.
func (s site) open(ctx context.Context, application string) (*platform, error) {
	leave, err := s.database(ctx)
	if err != nil {
		return nil, err
	}
	p, err := openMigrated(ctx, s.Config, application, 4)
	if err != nil {
		leave()
		return nil, err
	}
	p.closers = append([]func(){leave}, p.closers...) // called last
	return p, nil
}

// migrate brings the schema to this version.
func (s site) migrate(ctx context.Context) error {
	leave, err := s.database(ctx)
	if err != nil {
		return err
	}
	defer leave()
	pool, err := db.Open(ctx, s.DatabaseURL, db.Options{MaxConns: 4, Application: "migrate"})
	if err != nil {
		return err
	}
	defer pool.Close()
	return db.Migrate(ctx, pool)
}
