package storage

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"heliograph/app/fault"
)

// URL signs a local link, <base>/files/<key>?expires=<Unix seconds>&signature=<HMAC>;
// see Store. The server of the path must call Verify first.
func (f *Folder) URL(ctx context.Context, key Key, life time.Duration) (string, error) {
	if err := errors.Join(key.check(), checkLife(life), ctx.Err()); err != nil {
		return "", err
	}
	expires := strconv.FormatInt(time.Now().Add(life).Unix(), 10)
	u := *f.base
	u.Path += key.text
	u.RawQuery = url.Values{"expires": {expires}, "signature": {f.sign(key, expires)}}.Encode()
	return u.String(), nil
}

// Verify returns the key of a link that URL signed, if the link is unchanged and
// has not expired at the time now. Scheme and host are not checked. Any other
// link is Forbidden.
func (f *Folder) Verify(link *url.URL, now time.Time) (Key, error) {
	forbidden := fault.New(fault.Forbidden, "This link has expired or is incomplete. Reload the page for a new one.")
	text, ok := strings.CutPrefix(link.Path, f.base.Path)
	key, err := ParseKey(text)
	if !ok || err != nil {
		return Key{}, forbidden
	}
	query := link.Query()
	expires := query.Get("expires")
	if !hmac.Equal([]byte(query.Get("signature")), []byte(f.sign(key, expires))) {
		return Key{}, forbidden
	}
	seconds, err := strconv.ParseInt(expires, 10, 64)
	if err != nil || now.Unix() >= seconds {
		return Key{}, forbidden
	}
	return key, nil
}

// sign returns the HMAC-SHA-256 of a link as unpadded base64url. The line feed
// occurs in no key, so two links never sign the same text.
func (f *Folder) sign(key Key, expires string) string {
	mac := hmac.New(sha256.New, f.key)
	mac.Write([]byte(key.text + "\n" + expires))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
