package models

import (
	"encoding/json"
	"time"
)

// The states of a build.
const (
	SDKWaiting = "waiting"
	SDKBuilt   = "built"
	SDKFailed  = "failed"
)

// SDKBuild is the archive of a client library in one language, of one release.
type SDKBuild struct {
	ReleaseID   int64
	Language    string
	State       string
	SDKVersion  string          // semantic version of the archive
	Object      string          // key in the storage
	SHA256      string          `db:"sha256"` // in hexadecimal
	Size        int64           // in bytes
	Error       string          // for people; empty unless it failed
	Preview     json.RawMessage // what pages show, an object without members for older archives
	RequestedAt time.Time
	EndedAt     *time.Time
}

// SDKCall is the code that calls an operation with the library of a language.
type SDKCall struct {
	Language   string
	SDKVersion string
	Code       string
}

// SDKBuildListed is a build with the names of its version.
type SDKBuildListed struct {
	SDKBuild
	Product, Version string // slugs
	Number           int    // of the release
	Latest           bool   // no later release of the version exists
}

// SDKRelease is a release with what an archive needs of its product.
type SDKRelease struct {
	ID             int64
	ScopeID        int64
	Number         int
	PublishedAt    time.Time
	VersionSlug    string
	ProductSlug    string
	ProductContent json.RawMessage
}
