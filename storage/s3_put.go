package storage

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"

	"heliograph/app/fault"
)

// arriving is where objects are assembled before they get their names. No Key
// begins like it.
const arriving = "arriving/"

// Put stores a body that fits into one part with one request, and streams any
// other in parts to a temporary object. S3 wants the metadata of an object before
// its body, but the hash is known only after it. The server then copies the
// temporary object to its name, with the hash, so that readers never see a part of
// it. Few parts are in memory at a time, and nothing is written to the disk.
func (s *S3) Put(ctx context.Context, key Key, body io.Reader, o PutOptions) (Object, error) {
	o, err := o.check()
	if err == nil {
		err = key.check()
	}
	if err != nil {
		return Object{}, err
	}
	in := newIncoming(ctx, body, o)
	var first part
	defer first.free()
	if ended, err := first.fill(in); ended || err != nil {
		if err := in.check(); err != nil {
			return Object{}, err
		}
		return s.putWhole(ctx, in.object(key), &first, o)
	}
	return s.putParts(ctx, key, in, &first)
}

// putWhole stores an object that is in memory with one request.
func (s *S3) putWhole(ctx context.Context, object Object, body *part, o PutOptions) (Object, error) {
	raw, err := hex.DecodeString(object.SHA256)
	if err != nil {
		return Object{}, fmt.Errorf("decoding a hash: %w", err)
	}
	options := minio.PutObjectOptions{
		ContentType:      o.ContentType,
		DisableMultipart: true,
		UserMetadata: map[string]string{
			sha256Header: object.SHA256,
			// The server checks that the received bytes have this checksum.
			"x-amz-checksum-sha256": base64.StdEncoding.EncodeToString(raw),
		},
	}
	options.Mode, options.RetainUntilDate = s.retention(ctx, o)
	watched, w := s.watched(ctx)
	defer w.end()
	source := &watchedSource{watch: w, body: body.reader()}
	defer source.end()
	if _, err = s.core.Client.PutObject(watched, s.bucket, object.Key.text, source, object.Size, options); err != nil {
		return Object{}, s3Fault(ctx, "storing an object", err)
	}
	object.Retained = options.Mode != ""
	return object, nil
}

// retention returns how long the bucket is to retain an object.
func (s *S3) retention(ctx context.Context, o PutOptions) (minio.RetentionMode, time.Time) {
	if o.Retain == 0 || !s.hasObjectLock(ctx) {
		return "", time.Time{}
	}
	return minio.Compliance, time.Now().Add(o.Retain)
}

// cleaning is how long removing what a Put left behind may take. Sweep removes
// what is left then.
const cleaning = 10 * time.Second

// putParts streams a body after its first part was read.
func (s *S3) putParts(ctx context.Context, key Key, in *incoming, first *part) (stored Object, err error) {
	temporary := arriving + strings.ToLower(rand.Text())
	upload, err := s.beginParts(ctx, temporary)
	if err != nil {
		return Object{}, err
	}
	complete := false
	defer func() {
		if fault.Is(err, fault.Unavailable) {
			return // Sweep does it when the server is back
		}
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
		defer cancel()
		if !complete { // its end may be unknown: both are removed
			_ = s.core.AbortMultipartUpload(clean, s.bucket, temporary, upload)
		}
		_ = s.core.RemoveObject(clean, s.bucket, temporary, minio.RemoveObjectOptions{})
	}()
	parts, err := s.sendParts(ctx, temporary, upload, in, first)
	if err != nil {
		return Object{}, err
	}
	if err := in.check(); err != nil {
		return Object{}, err
	}
	watched, w := s.watched(ctx)
	defer w.end()
	if _, err := s.core.CompleteMultipartUpload(watched, s.bucket, temporary, upload, parts, minio.PutObjectOptions{}); err != nil {
		return Object{}, s3Fault(ctx, "assembling an object", err)
	}
	complete = true
	return s.name(ctx, temporary, in.object(key), in.options)
}

// partChecksum is the checksum of parts. Processors have an instruction for it.
const partChecksum = minio.ChecksumCRC32C

func (s *S3) beginParts(ctx context.Context, temporary string) (upload string, err error) {
	watched, w := s.watched(ctx)
	defer w.end()
	upload, err = s.core.NewMultipartUpload(watched, s.bucket, temporary, minio.PutObjectOptions{
		UserMetadata: map[string]string{"X-Amz-Checksum-Algorithm": partChecksum.String()},
	})
	if err != nil {
		return "", s3Fault(ctx, "beginning an object", err)
	}
	return upload, nil
}

// partsAhead is how many parts a process sends while the next of their objects are
// read. Beyond them each object waits for its part to be sent, so that many large
// bodies at once take one part of memory each.
const partsAhead = 4

// sendParts sends a body after its first part was read, and returns its parts in order.
// The first part that fails ends the reading. What is wrong with the body, check
// returns.
func (s *S3) sendParts(ctx context.Context, temporary, upload string, in *incoming, next *part) ([]minio.CompletePart, error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	in.ctx = ctx
	var sent []*minio.CompletePart
	var sending sync.WaitGroup
	for ended := false; next.size > 0; {
		body, made, number := next, new(minio.CompletePart), len(sent)+1
		sent = append(sent, made)
		send := func() {
			var err error
			if *made, err = s.putPart(ctx, temporary, upload, number, body); err != nil {
				fail(err)
			}
			body.free()
		}
		select {
		case s.ahead <- struct{}{}:
			sending.Go(func() {
				send()
				<-s.ahead
			})
		default:
			send()
		}
		if ended {
			break
		}
		next = new(part)
		var err error
		if ended, err = next.fill(in); err != nil {
			next.free()
			break
		}
	}
	sending.Wait()
	parts := make([]minio.CompletePart, len(sent))
	for i, made := range sent {
		parts[i] = *made
	}
	return parts, context.Cause(ctx)
}

// putPart stores one part. The server checks that the received bytes have its checksum.
func (s *S3) putPart(ctx context.Context, temporary, upload string, number int, p *part) (minio.CompletePart, error) {
	sum, err := partChecksum.ChecksumReader(p.reader())
	if err != nil {
		return minio.CompletePart{}, fmt.Errorf("summing a part: %w", err)
	}
	watched, w := s.watched(ctx)
	defer w.end()
	options := minio.PutObjectPartOptions{CustomHeader: http.Header{partChecksum.Key(): {sum.Encoded()}}}
	source := &watchedSource{watch: w, body: p.reader()}
	defer source.end()
	made, err := s.core.PutObjectPart(watched, s.bucket, temporary, upload, number, source, int64(p.size), options)
	if err != nil {
		return minio.CompletePart{}, s3Fault(ctx, "storing a part of an object", err)
	}
	return minio.CompletePart{PartNumber: number, ETag: made.ETag, ChecksumCRC32C: made.ChecksumCRC32C}, nil
}

// copyPace is how many bytes a second a server copies at least.
const copyPace = 8 << 20

// name has the server copy a temporary object to its name, with its metadata.
func (s *S3) name(ctx context.Context, temporary string, object Object, o PutOptions) (Object, error) {
	mode, until := s.retention(ctx, o)
	bounded, cancel := context.WithTimeout(ctx, s.patience+time.Duration(object.Size/copyPace)*time.Second)
	defer cancel()
	_, err := s.core.Client.CopyObject(bounded, minio.CopyDestOptions{
		Bucket: s.bucket, Object: object.Key.text, ContentType: object.ContentType,
		UserMetadata: map[string]string{sha256Header: object.SHA256}, ReplaceMetadata: true,
		Mode: mode, RetainUntilDate: until,
	}, minio.CopySrcOptions{Bucket: s.bucket, Object: temporary})
	if err != nil {
		return Object{}, s3Fault(ctx, "naming an object", err)
	}
	object.Retained = mode != ""
	return object, nil
}

// Sweep removes temporary objects and their parts; see Store. Servers that list no
// unfinished uploads remove those by themselves. MinIO lists them only for a whole key
// or for all keys, so all are listed.
func (s *S3) Sweep(ctx context.Context, age time.Duration) error {
	before := time.Now().Add(-age)
	for info := range s.core.Client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: arriving, Recursive: true}) {
		if info.Err != nil {
			return s3Fault(ctx, "listing temporary objects", info.Err)
		}
		if info.LastModified.Before(before) {
			if err := s.core.RemoveObject(ctx, s.bucket, info.Key, minio.RemoveObjectOptions{}); err != nil {
				return s3Fault(ctx, "removing a temporary object", err)
			}
		}
	}
	for marker, upload := "", ""; ; {
		page, err := s.core.ListMultipartUploads(ctx, s.bucket, "", marker, upload, "", 1000)
		if err != nil {
			return s3Fault(ctx, "listing unfinished uploads", err)
		}
		for _, u := range page.Uploads {
			if strings.HasPrefix(u.Key, arriving) && u.Initiated.Before(before) {
				if err := s.core.AbortMultipartUpload(ctx, s.bucket, u.Key, u.UploadID); err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchUpload {
					return s3Fault(ctx, "ending an unfinished upload", err)
				}
			}
		}
		if !page.IsTruncated {
			return nil
		}
		marker, upload = page.NextKeyMarker, page.NextUploadIDMarker
	}
}
