package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"heliograph/app/delivery"
	"heliograph/app/fault"
	"heliograph/app/outbound"
	"heliograph/db/models"
)

const (
	// fetchTries is how often a file is asked for while its server is away.
	fetchTries = 4
	// fileHead is how many of the first bytes of a file tell its type.
	fileHead = 3072
	// fetchFor is how long the result of a fetch holds for other messages of the
	// organisation with the same link.
	fetchFor = 10 * time.Minute
	// maxFetches bounds the results that a process keeps.
	maxFetches = 10_000
)

// fetches makes sure that the files which messages name by link can be had, before
// a carrier gets them. Messages with the same link share one request.
type fetches struct {
	client *outbound.Client
	mu     sync.Mutex
	known  map[string]*fetch
}

// fetch is the request of one file. Its result is there when done is closed.
type fetch struct {
	done    chan struct{}
	until   time.Time
	problem string // what keeps the file from being sent, for good
	err     error  // its server is away
}

func newFetches(client *outbound.Client) *fetches {
	return &fetches{client: client, known: map[string]*fetch{}}
}

// review returns the problem of the first file that cannot be sent. err says that a
// server is away and may be asked again.
func (f *fetches) review(ctx context.Context, m models.Message, files []delivery.RemoteFile) (problem string, err error) {
	if f.client == nil {
		return "", nil
	}
	for _, file := range files {
		if problem, err = f.share(ctx, strconv.FormatInt(m.OrganisationID, 10), file); problem != "" || err != nil {
			return problem, err
		}
	}
	return "", nil
}

// share returns the result of a fetch, of this call or of another one.
func (f *fetches) share(ctx context.Context, owner string, file delivery.RemoteFile) (string, error) {
	key, now := owner+" "+file.Kind+" "+file.URL, time.Now()
	f.mu.Lock()
	one := f.known[key]
	mine := one == nil || one.expired(now)
	if mine {
		if len(f.known) >= maxFetches {
			clear(f.known)
		}
		one = &fetch{done: make(chan struct{}), until: now.Add(fetchFor)}
		f.known[key] = one
	}
	f.mu.Unlock()
	if mine {
		// Others wait for it, so it does not end with this message's job.
		detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
		one.problem, one.err = f.ask(detached, owner, file)
		cancel()
		close(one.done)
	}
	select {
	case <-one.done:
		return one.problem, one.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// expired reports whether a fetch is too old or has found its server away.
func (f *fetch) expired(now time.Time) bool {
	select {
	case <-f.done:
		return f.err != nil || now.After(f.until)
	default:
		return false
	}
}

// ask requests a file and checks its type and size.
func (f *fetches) ask(ctx context.Context, owner string, file delivery.RemoteFile) (problem string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, file.URL, nil)
	if err != nil {
		return "It is not an address that can be fetched.", nil
	}
	res, err := f.client.Do(owner, req)
	if err != nil {
		return unreachable(err)
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return fmt.Sprintf("Its server answered %d. Use the final address, since redirects are not followed.", res.StatusCode), nil
	case res.StatusCode >= 500 || res.StatusCode == http.StatusTooManyRequests:
		return "", fmt.Errorf("its server answered %d", res.StatusCode)
	case res.StatusCode != http.StatusOK:
		return fmt.Sprintf("Its server answered %d instead of 200.", res.StatusCode), nil
	}
	head := make([]byte, fileHead)
	n, err := io.ReadFull(res.Body, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return unreachable(err)
	}
	if n == 0 {
		return "The file behind the link is empty.", nil
	}
	limit, problem := file.Review(res.Header.Get("Content-Type"), head[:n])
	if problem != "" {
		return "The file behind the link cannot be sent: " + problem + ".", nil
	}
	size := res.ContentLength
	if size < 0 {
		rest, err := io.Copy(io.Discard, io.LimitReader(res.Body, limit+1))
		var tooLarge *http.MaxBytesError
		if size = int64(n) + rest; err != nil && !errors.As(err, &tooLarge) {
			return unreachable(err)
		}
	}
	if size > limit {
		return fmt.Sprintf("The file behind the link is too large: at most %d bytes of its type can be sent.", limit), nil
	}
	return "", nil
}

// unreachable tells a server that may be there later from one that is refused for
// good. Causes are left out of what partners see, since they may name addresses of
// this network.
func unreachable(err error) (problem string, retry error) {
	f := fault.As(err)
	if f != nil && (f.Kind == fault.Invalid || f.Code == models.FaultAddress || f.Code == models.FaultCertificate || f.Code == models.FaultTLS) {
		return f.Message, nil
	}
	return "", err
}

// absent returns what partners see of a server that stayed away.
func absent(err error) string {
	if f := fault.As(err); f != nil {
		return f.Message
	}
	return "The file behind the link could not be fetched: " + err.Error() + "."
}
