package storage_test

import (
	"crypto/rand"
	"io"
	"testing"

	"heliograph/storage"
	"heliograph/storage/storagetest"
)

func TestFolderContract(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, func(t *testing.T) storage.Store { return storagetest.Folder(t) })
}

func TestS3Contract(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, func(t *testing.T) storage.Store { return openS3(t) })
}

func openS3(t testing.TB) *storage.S3 {
	t.Helper()
	s, err := storage.OpenS3(t.Context(), storagetest.S3(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkPut keeps 100 MB; its B/op shows that the body is never in memory.
func BenchmarkPut(b *testing.B) {
	const size = 100 << 20
	homes := map[string]func(testing.TB) storage.Store{
		"folder": func(t testing.TB) storage.Store { return storagetest.Folder(t) },
		"s3":     func(t testing.TB) storage.Store { return openS3(t) },
	}
	for name, open := range homes {
		b.Run(name, func(b *testing.B) {
			s := open(b)
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				body := io.LimitReader(rand.Reader, size)
				if _, err := s.Put(b.Context(), storage.UploadKey("large"), body, storage.PutOptions{Size: size}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
