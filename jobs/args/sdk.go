package args

import "github.com/riverqueue/river"

// BuildSDK builds the archive of a client library in one language, of one release.
// Rules insert it with queries.JobInsertBuild.
type BuildSDK struct {
	ReleaseID int64  `json:"release_id"`
	Language  string `json:"language"`
}

// BuildSDKKind is the kind of BuildSDK.
const BuildSDKKind = "build_sdk"

// Kind names the job.
func (BuildSDK) Kind() string { return BuildSDKKind }

// InsertOpts puts it on the build queue.
func (BuildSDK) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueBuild} }

// SweepSDKs deletes archives of client libraries that no build has.
type SweepSDKs struct{}

// Kind names the job.
func (SweepSDKs) Kind() string { return "sweep_sdks" }

// InsertOpts puts it on the default queue.
func (SweepSDKs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }
