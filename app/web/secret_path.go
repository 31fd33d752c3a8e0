package web

import (
	"net/url"
	"regexp"
	"strings"
)

// SecretPath says which part of the addresses below a prefix is a secret: everything
// after the first Shown segments. A route or an API that has one declares it, and the
// access log leaves the secret out.
type SecretPath struct {
	Prefix string // such as "/preview"
	Shown  int
}

// longSegment is the length from which a segment of a path may be a secret. Tokens and
// signatures are longer; names of carriers and words of routes are not.
const longSegment = 40

// keys matches API keys and tokens of imports, which somebody may put into a path.
var keys = regexp.MustCompile(`(?i)(` + keyStart + `[a-z]+_)[a-z0-9_-]+`)

// keyStart begins all of them, in small letters.
const keyStart = "hg_"

// mostEncodings is how often a path is decoded before it is searched for secrets.
const mostEncodings = 8

// hidden stands for a part of a path that is not logged.
const hidden = "…"

// secretPaths hides the secrets of paths.
type secretPaths []SecretPath

// newSecretPaths collects what the routes declare.
func newSecretPaths(table []Route) (all secretPaths) {
	for _, r := range table {
		if r.Secret.Prefix != "" {
			all = append(all, r.Secret)
		}
	}
	return all
}

// hide returns a path as it may be logged. The prefix of a secret counts wherever it
// stands and however it is written, because a mistyped address carries the same secret.
// A path that no route matches shows no long segment.
func (all secretPaths) hide(path string, matched bool) string {
	plain := path
	for range mostEncodings { // it may be encoded more than once
		if !strings.Contains(plain, "%") {
			break
		}
		decoded, err := url.PathUnescape(plain)
		if err != nil || decoded == plain {
			break
		}
		plain = decoded
	}
	lower := strings.ToLower(plain)
	if strings.Contains(lower, keyStart) { // every request is logged, and searching for the pattern costs more
		plain = keys.ReplaceAllString(plain, "${1}"+hidden)
		path, lower = plain, strings.ToLower(plain)
	}
	for _, secret := range all {
		if i := strings.Index(lower, secret.Prefix); i >= 0 && i+len(secret.Prefix) <= len(plain) {
			end := i + len(secret.Prefix)
			return plain[:end] + shown(plain[end:], secret.Shown)
		}
	}
	if matched {
		return path
	}
	return shown(plain, strings.Count(plain, "/")+1)
}

// shown returns the first segments of a path, without long ones.
func shown(rest string, segments int) string {
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		if len(part) >= longSegment {
			parts[i] = hidden
		}
		if part == "" {
			continue
		}
		if segments--; segments < 0 {
			return strings.Join(append(parts[:i], hidden), "/")
		}
	}
	return strings.Join(parts, "/")
}
