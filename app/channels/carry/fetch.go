package carry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/outbound"
	"heliograph/db/models"
)

const (
	// fetchTries is how often a file is asked for while its server is away.
	fetchTries = 4
	// fileHead is how many of the first bytes of a file tell its type.
	fileHead = 3072
	// fetchKnown is how long a process keeps a result without asking the database.
	fetchKnown = 10 * time.Minute
	// fetchPatience is how long a job waits for a file. Then its message is put off
	// while the fetch goes on.
	fetchPatience = 10 * time.Second
	// fetchTimeout is how long the fetch of one file may take.
	fetchTimeout = time.Minute
	// maxFetches bounds the results that a process keeps.
	maxFetches = 10_000
	// maxRequests bounds the files that a process fetches at the same time, and
	// maxOwnRequests the requests of one organisation, so that slow servers of one do not
	// keep the files of others waiting.
	maxRequests    = 32
	maxOwnRequests = 8
)

var errFetching = errors.New("the file is still being fetched")

// awayError says that the server of a file cannot be reached or answers with an error
// that may pass.
type awayError struct{ error }

// fetches gets the files that messages name by link before a carrier gets the
// messages. Messages with the same link share one request.
type fetches struct {
	client *outbound.Client
	files  *media.Fetched
	mu     sync.Mutex
	known  map[string]*fetch
	busy   map[int64]int // files that are being fetched, by organisation
}

// fetch is the fetch of one file. Its result is there when done is closed.
type fetch struct {
	done   chan struct{}
	until  time.Time
	result models.FetchedLink
	err    error // there is no result
}

func newFetches(deps Options) *fetches {
	return &fetches{client: deps.Files, files: media.NewFetched(deps.Pool, deps.Store, deps.Quotas), known: map[string]*fetch{}, busy: map[int64]int{}}
}

// review returns the problem of the first file that cannot be sent. An error says
// that the file may be there later; it is an awayError if its server is to blame.
func (f *fetches) review(ctx context.Context, m models.Message, files []pipeline.RemoteFile) (problem string, err error) {
	if f.client == nil {
		return "", nil
	}
	for _, file := range files {
		link := media.Link{OrganisationID: m.OrganisationID, Kind: file.Kind, URL: file.URL, Accepted: m.CreatedAt}
		result, err := f.share(ctx, link, file)
		if err != nil || result.Problem != "" {
			return result.Problem, err
		}
	}
	return "", nil
}

// share returns the result of a fetch, of this call or of another one.
func (f *fetches) share(ctx context.Context, l media.Link, file pipeline.RemoteFile) (models.FetchedLink, error) {
	key := strconv.FormatInt(l.OrganisationID, 10) + " " + l.Kind + " " + l.URL
	f.mu.Lock()
	one := f.known[key]
	if one == nil || !f.holds(one, l.Accepted) {
		if len(f.known) >= maxFetches {
			clear(f.known)
		}
		one = &fetch{done: make(chan struct{}), until: time.Now().Add(fetchKnown)}
		f.known[key] = one
		// Others wait for it, so it does not end with this message's job.
		go f.run(context.WithoutCancel(ctx), one, l, file)
	}
	f.mu.Unlock()
	select {
	case <-one.done:
		return one.result, one.err
	case <-time.After(fetchPatience):
		return models.FetchedLink{}, errFetching
	case <-ctx.Done():
		return models.FetchedLink{}, ctx.Err()
	}
}

// holds reports whether a fetch counts for a message that was accepted at a time, or
// is still going on.
func (f *fetches) holds(one *fetch, accepted time.Time) bool {
	select {
	case <-one.done:
		return one.err == nil && time.Now().Before(one.until) && f.files.Holds(one.result, accepted)
	default:
		return true
	}
}

// run gets the result of a fetch: from another process, or by fetching the file.
func (f *fetches) run(ctx context.Context, one *fetch, l media.Link, file pipeline.RemoteFile) {
	defer close(one.done)
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	for {
		var ended bool
		if one.result, ended, one.err = f.try(ctx, l, file); ended || one.err != nil {
			return
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			one.err = errFetching
			return
		}
	}
}

// try returns the result of another process, or fetches the file. Without an end,
// another process is fetching it, or this one fetches too many files.
func (f *fetches) try(ctx context.Context, l media.Link, file pipeline.RemoteFile) (result models.FetchedLink, ended bool, err error) {
	if !f.enter(l.OrganisationID) {
		return result, false, nil
	}
	defer f.leave(l.OrganisationID)
	found, claimed, err := f.files.Claim(ctx, l)
	if found != nil {
		result = *found
	}
	if claimed {
		result, err = f.fetch(ctx, l, file)
	}
	return result, found != nil || claimed, err
}

func (f *fetches) enter(organisationID int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	total := 0
	for _, n := range f.busy {
		total += n
	}
	if total >= maxRequests || f.busy[organisationID] >= maxOwnRequests {
		return false
	}
	f.busy[organisationID]++
	return true
}

func (f *fetches) leave(organisationID int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.busy[organisationID]--; f.busy[organisationID] == 0 {
		delete(f.busy, organisationID)
	}
}

// fetch gets a claimed file and ends the claim.
func (f *fetches) fetch(ctx context.Context, l media.Link, file pipeline.RemoteFile) (models.FetchedLink, error) {
	problem, kept, err := f.get(ctx, l, file)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	switch {
	case err != nil:
		return models.FetchedLink{}, errors.Join(err, f.files.Release(ctx, l))
	case !kept:
		err = f.files.Refuse(ctx, l, problem)
	}
	return models.FetchedLink{Problem: problem, FetchedAt: time.Now()}, err
}

// get requests a file, checks its type and size and keeps it. kept says that the
// claim has ended with the file or its problem.
func (f *fetches) get(ctx context.Context, l media.Link, file pipeline.RemoteFile) (problem string, kept bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, file.URL, nil)
	if err != nil {
		return "It is not an address that can be fetched.", false, nil
	}
	res, err := f.client.Do(strconv.FormatInt(l.OrganisationID, 10), req)
	if err != nil {
		problem, err = unreachable(err)
		return problem, false, err
	}
	defer res.Body.Close()
	if problem, err = refusedStatus(res.StatusCode); problem != "" || err != nil {
		return problem, false, err
	}
	head := make([]byte, fileHead)
	n, err := io.ReadFull(res.Body, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		problem, err = unreachable(err)
		return problem, false, err
	}
	if n == 0 {
		return "The file behind the link is empty.", false, nil
	}
	known, problem := file.Review(res.Header.Get("Content-Type"), head[:n])
	if problem != "" {
		return "The file behind the link cannot be sent: " + problem + ".", false, nil
	}
	large := fmt.Sprintf("The file behind the link is too large: at most %d bytes of its type can be sent.", known.Limit)
	if res.ContentLength > known.Limit {
		return large, false, nil
	}
	body := &remoteBody{Reader: io.MultiReader(bytes.NewReader(head[:n]), res.Body)}
	problem, err = f.files.Keep(ctx, l, body, known)
	var tooLarge *http.MaxBytesError
	switch {
	case fault.Is(err, fault.TooLarge) || errors.As(body.err, &tooLarge):
		return large, false, nil
	case body.err != nil:
		problem, err = unreachable(body.err)
		return problem, false, err
	}
	return problem, err == nil, err
}

// remoteBody is the body of a file that remembers why it could not be read, which
// the storage does not tell from its own errors.
type remoteBody struct {
	io.Reader
	err error
}

// Read implements io.Reader.
func (b *remoteBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, err
}

// refusedStatus returns the problem of a response without a file, or the error of a
// server that may have it later.
func refusedStatus(status int) (problem string, err error) {
	switch {
	case status >= 300 && status < 400:
		return fmt.Sprintf("Its server answered %d. Use the final address, since redirects are not followed.", status), nil
	case status >= 500 || status == http.StatusTooManyRequests:
		return "", awayError{fmt.Errorf("its server answered %d", status)}
	case status != http.StatusOK:
		return fmt.Sprintf("Its server answered %d instead of 200.", status), nil
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
	return "", awayError{err}
}

// absent returns what partners see of a server that stayed away.
func absent(err error) string {
	if f := fault.As(err); f != nil {
		return f.Message
	}
	return "The file behind the link could not be fetched: " + err.Error() + "."
}
