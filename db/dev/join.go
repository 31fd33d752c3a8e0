package dev

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Join gives the address of the cluster in dir, as Cluster.URL: where another
// process runs it, that one's; else it is started, until leave is called. It
// makes no cluster where there is none. When the other process ends, so does
// its cluster.
func Join(ctx context.Context, dir string) (url string, leave func() error, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", nil, fmt.Errorf("finding the folder %s: %w", dir, err)
	}
	f := folder{path: dir}
	if major, err := f.major(); err != nil || major == 0 {
		return "", nil, errors.Join(fmt.Errorf("there is no database in %s: name the folder that heliograph dev keeps its data in", dir), err)
	}
	leave = func() error { return nil }
	joined := poll(ctx, time.Minute, func() bool {
		var c *Cluster
		var busy *inUseError
		if c, err = Start(ctx, dir, Options{}); err == nil {
			url, leave = c.URL, c.Stop
		} else if errors.As(err, &busy) {
			url, err = f.running(ctx)
			return err == nil // else it is starting, or ending
		}
		return true
	})
	if !joined && ctx.Err() != nil {
		err = ctx.Err()
	}
	return url, leave, err
}

// running returns the address of a cluster that another process runs, once it
// answers.
func (f folder) running(ctx context.Context) (string, error) {
	password, err := os.ReadFile(f.file("password"))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(f.file("port"))
	if err != nil {
		return "", err
	}
	port, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	url := address(string(password), port, database)
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", fmt.Errorf("another process has the database in %s, but it does not answer: %w", f.path, err)
	}
	return url, conn.Close(ctx)
}
