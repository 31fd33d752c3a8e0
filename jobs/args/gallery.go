package args

import "github.com/riverqueue/river"

// PrepareMedia makes the sizes of a file of the media gallery.
type PrepareMedia struct {
	FileID int64 `json:"file_id" river:"unique"`
}

// Kind names the job.
func (PrepareMedia) Kind() string { return "prepare_media" }

// InsertOpts puts it on the images queue.
func (PrepareMedia) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueImages} }

// SweepGallery deletes what has been in the trash of the media gallery for too long.
type SweepGallery struct{}

// Kind names the job.
func (SweepGallery) Kind() string { return "sweep_gallery" }

// InsertOpts puts it on the default queue.
func (SweepGallery) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }
