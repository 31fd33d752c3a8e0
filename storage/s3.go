package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3Options holds the address and the credentials of an S3 server.
type S3Options struct {
	Endpoint     string // host:port or host
	TLS          bool   // https, TLS 1.2 or newer; otherwise plain http
	Region       string // for signatures; empty means us-east-1
	Bucket       string // 3–63 characters as S3 names buckets
	AccessKey    string
	SecretKey    string
	CreateBucket bool // create the bucket if it is missing
	ObjectLock   bool // create it with object lock, to retain objects
	// Patience is how long the server may make no progress before a method is
	// Unavailable; zero means five seconds.
	Patience time.Duration
}

// S3 is a Store on an S3 server.
type S3 struct {
	core     minio.Core
	bucket   string
	missing  S3Options // how to create the bucket, if CreateBucket is set
	patience time.Duration
	ahead    chan struct{} // holds an element for each part that is sent ahead
}

// sha256Header is the name of the metadata with an object's hash: the part after
// X-Amz-Meta- in the canonical form of net/http.
const sha256Header = "Sha256"

// OpenS3 connects to the server and checks that the bucket exists. If the server
// does not answer, or if the bucket is missing and must not be created, the error
// is Unavailable, and the store works as soon as they are there.
func OpenS3(ctx context.Context, o S3Options) (*S3, error) {
	if o.Region == "" {
		// With a region the client does not have to look it up.
		o.Region = "us-east-1"
	}
	transport, err := minio.DefaultTransport(o.TLS)
	if err != nil {
		return nil, fmt.Errorf("preparing the S3 transport: %w", err)
	}
	transport.DialContext = (&net.Dialer{Timeout: 3 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	core, err := minio.NewCore(o.Endpoint, &minio.Options{
		Creds:     credentials.NewStaticV4(o.AccessKey, o.SecretKey, ""),
		Secure:    o.TLS,
		Region:    o.Region,
		Transport: transport,
		// The client sends a checksum only with this option; see Put.
		TrailingHeaders: true,
		// Three tries take about a second. Visitors wait for the response, and
		// jobs have their own retry schedule.
		MaxRetries: 3,
	})
	if err != nil {
		return nil, fmt.Errorf("configuring the S3 client: %w", err)
	}
	s := &S3{core: *core, bucket: o.Bucket, missing: o, patience: cmp.Or(o.Patience, standardPatience), ahead: make(chan struct{}, partsAhead)}
	return s, s.Ping(ctx)
}

func (s *S3) createBucket(ctx context.Context) error {
	watched, w := s.watched(ctx)
	defer w.end()
	err := s.core.MakeBucket(watched, s.bucket, minio.MakeBucketOptions{Region: s.missing.Region, ObjectLocking: s.missing.ObjectLock})
	if code := minio.ToErrorResponse(err).Code; code == minio.BucketAlreadyOwnedByYou || code == minio.BucketAlreadyExists {
		return nil // created by another process
	}
	if err != nil {
		return s3Fault(ctx, "creating the bucket", err)
	}
	return nil
}

// hasObjectLock reports whether the bucket has object lock. A server that does not
// support the request has none.
func (s *S3) hasObjectLock(ctx context.Context) bool {
	ctx, w := s.watched(ctx)
	defer w.end()
	status, _, _, _, err := s.core.GetObjectLockConfig(ctx, s.bucket)
	return err == nil && status == "Enabled"
}

// Get opens a range of an object; see Store.
func (s *S3) Get(ctx context.Context, key Key, r Range) (io.ReadCloser, Object, error) {
	if err := errors.Join(key.check(), r.check()); err != nil {
		return nil, Object{}, err
	}
	var o minio.GetObjectOptions
	switch {
	case r.Length > 0:
		o.Set("Range", fmt.Sprintf("bytes=%d-%d", r.Offset, r.Offset+r.Length-1))
	case r.Offset > 0:
		o.Set("Range", fmt.Sprintf("bytes=%d-", r.Offset))
	}
	watched, w := s.watched(ctx)
	body, info, header, err := s.core.GetObject(watched, s.bucket, key.text, o)
	w.pause()
	if err != nil {
		w.end()
	}
	if r.Offset == 0 && minio.ToErrorResponse(err).Code == minio.InvalidRange {
		// No range satisfies an empty object, not even its start.
		return s.Get(ctx, key, Range{})
	}
	if err != nil {
		return nil, Object{}, s3Fault(ctx, "opening an object", err)
	}
	if _, total, ok := strings.Cut(header.Get("Content-Range"), "/"); ok {
		if info.Size, err = strconv.ParseInt(total, 10, 64); err != nil {
			body.Close()
			w.end()
			return nil, Object{}, fmt.Errorf("reading Content-Range %q: %w", header.Get("Content-Range"), err)
		}
	}
	return watchedBody{body, w, ctx}, s3Object(key, info), nil
}

// Stat describes an object; see Store.
func (s *S3) Stat(ctx context.Context, key Key) (Object, error) {
	if err := key.check(); err != nil {
		return Object{}, err
	}
	watched, w := s.watched(ctx)
	defer w.end()
	info, err := s.core.StatObject(watched, s.bucket, key.text, minio.StatObjectOptions{})
	if err != nil {
		return Object{}, s3Fault(ctx, "describing an object", err)
	}
	return s3Object(key, info), nil
}

// Delete removes an object; see Store.
func (s *S3) Delete(ctx context.Context, key Key) error {
	if err := key.check(); err != nil {
		return err
	}
	watched, w := s.watched(ctx)
	defer w.end()
	err := s.core.RemoveObject(watched, s.bucket, key.text, minio.RemoveObjectOptions{})
	if err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchKey {
		return s3Fault(ctx, "removing an object", err)
	}
	return nil
}

// List yields objects by prefix, a thousand per request; see Store. For retained
// objects it reads every version, because a removed one is only hidden.
func (s *S3) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		watched, w := s.watched(ctx)
		defer w.end() // and with it the client's iterator on an early return
		var last Key
		versions := strings.HasPrefix(prefix, audits)
		for info := range s.core.Client.ListObjectsIter(watched, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true, WithVersions: versions}) {
			w.pause()
			if info.Err != nil {
				yield(Object{}, s3Fault(ctx, "listing objects", info.Err))
				return
			}
			if key, err := ParseKey(info.Key); err == nil && key != last {
				last = key
				if !yield(Object{Key: key, Size: info.Size, Modified: modified(info.LastModified)}, nil) {
					return
				}
			}
			w.progress()
		}
		if err := ctx.Err(); err != nil {
			yield(Object{}, err)
		}
	}
}

// URL presigns a GET; see Store. The response makes browsers save the file, so
// that a file from a user is never shown as a page of the storage host.
func (s *S3) URL(ctx context.Context, key Key, life time.Duration) (string, error) {
	if err := errors.Join(key.check(), checkLife(life)); err != nil {
		return "", err
	}
	u, err := s.core.PresignedGetObject(ctx, s.bucket, key.text, life, url.Values{"response-content-disposition": {"attachment"}})
	if err != nil {
		return "", fmt.Errorf("signing a URL: %w", err)
	}
	return u.String(), nil
}

// Ping sends a HEAD request for the bucket, and creates a missing one if it may;
// see Store.
func (s *S3) Ping(ctx context.Context) error {
	exists, err := s.bucketExists(ctx)
	if err == nil && !exists && s.missing.CreateBucket {
		if err := s.createBucket(ctx); err != nil {
			return err
		}
		exists, err = s.bucketExists(ctx)
	}
	if err != nil {
		return err
	}
	if !exists {
		return unavailable("looking for the bucket", fmt.Errorf("bucket %q does not exist", s.bucket))
	}
	return nil
}

func (s *S3) bucketExists(ctx context.Context) (bool, error) {
	watched, w := s.watched(ctx)
	defer w.end()
	exists, err := s.core.BucketExists(watched, s.bucket)
	if err != nil {
		return false, s3Fault(ctx, "looking for the bucket", err)
	}
	return exists, nil
}

func s3Object(key Key, info minio.ObjectInfo) Object {
	return Object{
		Key:         key,
		Size:        info.Size,
		ContentType: info.ContentType,
		SHA256:      info.UserMetadata[sha256Header],
		Modified:    modified(info.LastModified),
	}
}

func modified(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// s3Fault converts an error of the client to a fault if it is temporary or the
// caller's. Responses that refuse our credentials or request stay internal,
// because a retry does not help. It checks the context itself, because a dial
// timeout is also context.DeadlineExceeded.
func s3Fault(ctx context.Context, doing string, err error) error {
	var answer minio.ErrorResponse
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", doing, err)
	case !errors.As(err, &answer):
		return unavailable(doing, err) // no response
	case answer.Code == minio.NoSuchKey:
		return notFound()
	case answer.Code == minio.InvalidRange:
		return badRange()
	case answer.Code == minio.NoSuchBucket, answer.StatusCode >= 500, answer.StatusCode == http.StatusTooManyRequests:
		return unavailable(doing, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}
