package storage

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"heliograph/app/fault"
)

// Folder is a Store on the local disk, for one machine. Several processes may
// share it.
//
// An object is one file, kind/id: its bytes, then a JSON trailer with the
// content type and hash, then the length of the trailer. It is one file, so that
// one rename replaces bytes and metadata atomically. The trailer is at the end,
// because the hash is known only then.
type Folder struct {
	root *os.Root
	base *url.URL // of the files, ends with /files/
	key  []byte   // signs URLs
}

const (
	partial = "partial" // directory of files being written

	trailerLengthSize = 4 // bytes, big endian, the last of each file
	maxTrailer        = 1 << 10
	minURLKey         = 32
)

type trailer struct {
	ContentType string `json:"content_type"`
	SHA256      string `json:"sha256"`
}

// OpenFolder opens the folder dir and creates it if it is missing. URLs start
// with baseURL, an absolute http or https URL, and are signed with key, which
// needs 32 bytes or more and must be the same in every process.
func OpenFolder(dir, baseURL string, key []byte) (*Folder, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil, fmt.Errorf("reading the base URL of the storage folder: %w", err)
	}
	if (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return nil, fmt.Errorf("the base URL of the storage folder, %q, must start with http:// or https:// and a host", baseURL)
	}
	if len(key) < minURLKey {
		return nil, fmt.Errorf("the URL key of the storage folder has %d bytes: use %d or more", len(key), minURLKey)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the storage folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the storage folder: %w", err)
	}
	base.Path = strings.TrimSuffix(base.Path, "/") + "/files/"
	f := &Folder{root: root, base: base, key: key}
	for _, sub := range []string{partial, media, uploads, qrCodes, audits, cards, gallery, sdks, imports, themes} {
		if err := root.Mkdir(path.Clean(sub), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			root.Close()
			return nil, fmt.Errorf("making the storage folder: %w", err)
		}
	}
	return f, f.Sweep(context.Background(), PutLife)
}

// Sweep removes partial files that were left by processes that died; see Store.
func (f *Folder) Sweep(_ context.Context, age time.Duration) error {
	entries, err := fs.ReadDir(f.root.FS(), partial)
	if err != nil {
		return fmt.Errorf("sweeping the storage folder: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && time.Since(info.ModTime()) > age {
			_ = f.root.Remove(path.Join(partial, e.Name())) // the next start tries again
		}
	}
	return nil
}

// Put writes a partial file, syncs it and renames it to its final name; see
// Store. Of concurrent calls for one key the last wins. A folder cannot retain
// objects.
func (f *Folder) Put(ctx context.Context, key Key, body io.Reader, o PutOptions) (Object, error) {
	o, err := o.check()
	if err == nil {
		err = key.check()
	}
	if err != nil {
		return Object{}, err
	}
	temp := path.Join(partial, rand.Text())
	file, err := f.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Object{}, unavailable("making a file", err)
	}
	defer f.root.Remove(temp) // already renamed on success
	defer file.Close()
	in := newIncoming(ctx, body, o)
	_, err = io.Copy(file, in)
	if err != nil && in.err == nil {
		return Object{}, unavailable("writing a file", err)
	}
	if err := in.check(); err != nil {
		return Object{}, err
	}
	stored := in.object(key)
	if err := seal(file, trailer{o.ContentType, stored.SHA256}); err != nil {
		return Object{}, unavailable("writing a file", err)
	}
	if err := errors.Join(f.root.Rename(temp, key.text), f.syncDir(key.kind())); err != nil {
		return Object{}, unavailable("naming a file", err)
	}
	return stored, nil
}

// seal appends the trailer to the file and syncs it to disk.
func seal(file *os.File, t trailer) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	b = binary.BigEndian.AppendUint32(b, uint32(len(b)))
	if _, err := file.Write(b); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return file.Close()
}

// syncDir makes a rename or removal within the directory durable.
func (f *Folder) syncDir(name string) error {
	dir, err := f.root.Open(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// Get opens a range of an object; see Store.
func (f *Folder) Get(ctx context.Context, key Key, r Range) (io.ReadCloser, Object, error) {
	if err := errors.Join(key.check(), r.check(), ctx.Err()); err != nil {
		return nil, Object{}, err
	}
	file, o, err := f.open(key)
	if err != nil {
		return nil, Object{}, err
	}
	if r.Offset > 0 && r.Offset >= o.Size {
		file.Close()
		return nil, Object{}, badRange()
	}
	length := o.Size - r.Offset
	if r.Length > 0 {
		length = min(length, r.Length)
	}
	return section{io.NewSectionReader(file, r.Offset, length), file}, o, nil
}

type section struct {
	io.Reader
	io.Closer
}

// open returns the file of an object and its metadata from the trailer.
func (f *Folder) open(key Key) (*os.File, Object, error) {
	file, err := f.root.Open(key.text)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Object{}, notFound()
	}
	if err != nil {
		return nil, Object{}, unavailable("opening a file", err)
	}
	o, err := describe(file, key)
	if err != nil {
		file.Close()
		return nil, Object{}, fmt.Errorf("reading a stored file: %w", err)
	}
	return file, o, nil
}

func describe(file *os.File, key Key) (Object, error) {
	info, err := file.Stat()
	if err != nil {
		return Object{}, err
	}
	var length [trailerLengthSize]byte
	end := info.Size() - trailerLengthSize
	if _, err := file.ReadAt(length[:], max(end, 0)); err != nil {
		return Object{}, err
	}
	n := int64(binary.BigEndian.Uint32(length[:]))
	if n > min(end, maxTrailer) {
		return Object{}, fmt.Errorf("%s has no trailer", key)
	}
	b := make([]byte, n)
	if _, err := file.ReadAt(b, end-n); err != nil {
		return Object{}, err
	}
	var t trailer
	if err := json.Unmarshal(b, &t); err != nil {
		return Object{}, fmt.Errorf("reading the trailer of %s: %w", key, err)
	}
	return Object{Key: key, Size: end - n, ContentType: t.ContentType, SHA256: t.SHA256, Modified: modified(info.ModTime())}, nil
}

// Stat describes an object; see Store.
func (f *Folder) Stat(ctx context.Context, key Key) (Object, error) {
	if err := errors.Join(key.check(), ctx.Err()); err != nil {
		return Object{}, err
	}
	file, o, err := f.open(key)
	if err != nil {
		return Object{}, err
	}
	return o, file.Close()
}

// Delete removes an object; see Store.
func (f *Folder) Delete(ctx context.Context, key Key) error {
	if err := errors.Join(key.check(), ctx.Err()); err != nil {
		return err
	}
	err := f.root.Remove(key.text)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := errors.Join(err, f.syncDir(key.kind())); err != nil {
		return unavailable("removing a file", err)
	}
	return nil
}

// List yields objects by prefix, one directory at a time; see Store.
func (f *Folder) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for _, kind := range []string{audits, cards, gallery, imports, media, qrCodes, sdks, themes, uploads} { // in byte order
			if !strings.HasPrefix(kind, prefix) && !strings.HasPrefix(prefix, kind) {
				continue
			}
			entries, err := fs.ReadDir(f.root.FS(), path.Clean(kind)) // sorted by name
			if err != nil {
				yield(Object{}, unavailable("listing files", err))
				return
			}
			for _, e := range entries {
				key, err := ParseKey(kind + e.Name())
				if err != nil || !strings.HasPrefix(key.text, prefix) {
					continue
				}
				o, err := f.Stat(ctx, key)
				if fault.Is(err, fault.NotFound) { // removed since the directory was read
					continue
				}
				if !yield(Object{Key: o.Key, Size: o.Size, Modified: o.Modified}, err) || err != nil {
					return
				}
			}
		}
	}
}

// Ping checks that the folder exists; see Store.
func (f *Folder) Ping(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := f.root.Stat(partial); err != nil {
		return unavailable("looking for the storage folder", err)
	}
	return nil
}
