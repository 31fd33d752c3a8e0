package carry

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"heliograph/app/channels/messaging"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/storage"
)

const (
	// upstreamMediaLife is how long the upstream's id of a file is used. The upstream
	// itself keeps files for a day more.
	upstreamMediaLife = 29 * 24 * time.Hour
	// uploadPatience is how long a message waits for the upload of its file. Then it is
	// put off while the upload goes on.
	uploadPatience = 8 * time.Second
	uploadTimeout  = 2 * time.Minute
)

// library knows what upstreams call our messages and files. Messages with the same file
// share one upload.
type library struct {
	deps    Options
	mu      sync.Mutex
	uploads map[string]*upload
}

// upload is an upload that is going on. Its result is there when done is closed.
type upload struct {
	done chan struct{}
	id   string
	err  error
}

func newLibrary(deps Options) *library { return &library{deps: deps, uploads: map[string]*upload{}} }

// UpstreamMessage returns the carrier's id of a message of the organisation that a number
// belongs to; empty if it has none.
func (l *library) UpstreamMessage(ctx context.Context, carrier, number, id string) (string, error) {
	message, ok := messaging.ParseMessageID(id)
	if !ok {
		return "", nil
	}
	upstream, err := queries.UpstreamIDGet(ctx, l.deps.Pool, carrier, number, message)
	if err != nil {
		return "", fmt.Errorf("looking the id of message %s at carrier %s up: %w", id, carrier, err)
	}
	return upstream, nil
}

// errUploading says that the upload of a file takes long. Its message is put off.
var errUploading = &outbound.CarrierError{Code: 131016, Title: "The file is still being uploaded", Temporary: true}

// UpstreamFile returns the carrier's id of a file, which it gets first if it has none.
func (l *library) UpstreamFile(ctx context.Context, carrier, id string, send func(context.Context, outbound.GraphFile) (string, error)) (string, error) {
	media, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return "", fmt.Errorf("the media id %q is no number", id)
	}
	known, err := queries.UpstreamMediaGet(ctx, l.deps.Pool, carrier, media, upstreamMediaLife)
	if err == nil || !db.IsNoRows(err) {
		return known, err
	}
	key := carrier + " " + id
	l.mu.Lock()
	one := l.uploads[key]
	if one == nil {
		one = &upload{done: make(chan struct{})}
		l.uploads[key] = one
		// Other messages wait for it, so it does not end with this message's job.
		go l.run(context.WithoutCancel(ctx), key, one, func(ctx context.Context) (string, error) { return l.send(ctx, carrier, media, send) })
	}
	l.mu.Unlock()
	select {
	case <-one.done:
		return one.id, one.err
	case <-time.After(uploadPatience):
		return "", errUploading
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (l *library) run(ctx context.Context, key string, one *upload, send func(context.Context) (string, error)) {
	ctx, cancel := context.WithTimeout(ctx, uploadTimeout)
	defer cancel()
	one.id, one.err = send(ctx)
	l.mu.Lock()
	delete(l.uploads, key)
	l.mu.Unlock()
	close(one.done)
}

// send gives a stored file to a carrier and keeps the id.
func (l *library) send(ctx context.Context, carrier string, id int64, send func(context.Context, outbound.GraphFile) (string, error)) (string, error) {
	media, err := queries.MediaFind(ctx, l.deps.Pool, id)
	if db.IsNoRows(err) {
		return "", &outbound.CarrierError{Code: 131053, Title: "Media upload error", Detail: "The file was deleted or has expired before the message was sent."}
	}
	if err != nil {
		return "", fmt.Errorf("reading media %d: %w", id, err)
	}
	file, err := l.open(ctx, media)
	if err != nil {
		return "", err
	}
	upstream, err := send(ctx, outbound.GraphFile{Body: file, Type: media.MIMEType, Name: media.FileName})
	if err = errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	if err := writes.UpstreamMediaUpsert(ctx, l.deps.Pool, carrier, id, upstream); err != nil {
		return "", fmt.Errorf("keeping the id of media %d at carrier %s: %w", id, carrier, err)
	}
	return upstream, nil
}

func (l *library) open(ctx context.Context, media models.Media) (*storage.File, error) {
	key, err := storage.ParseKey(media.Object)
	if err != nil {
		return nil, fmt.Errorf("reading the key of media %d: %w", media.ID, err)
	}
	return storage.Open(ctx, l.deps.Store, key)
}
