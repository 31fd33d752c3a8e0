package media_test

import (
	"testing"

	"heliograph/app/documentation/openapi/media"
)

func TestKindOf(t *testing.T) {
	t.Parallel()
	for contentType, want := range map[string]media.Kind{
		"application/json":                  media.JSON,
		"Application/JSON; charset=utf-8":   media.JSON,
		"application/problem+json":          media.JSON,
		"*/*":                               media.JSON,
		"application/x-www-form-urlencoded": media.Form,
		"multipart/form-data; boundary=x":   media.Multipart,
		"multipart/mixed":                   media.Multipart,
		"text/plain":                        media.Text,
		"application/xml":                   media.Text,
		"image/svg+xml":                     media.Text,
		"image/png":                         media.Binary,
		"application/octet-stream":          media.Binary,
		"TEXT/; no type":                    media.Text,
		"":                                  media.Binary,
	} {
		if got := media.KindOf(contentType); got != want {
			t.Errorf("%q is of kind %d, want %d", contentType, got, want)
		}
	}
}
