package models

import "time"

// GalleryFolder is a folder of the media gallery.
type GalleryFolder struct {
	ID       int64
	ParentID int64 // 0 at the top
	Name     string
	Files    int // in the folder itself, without the trash
}

// GalleryItem is a file of the media gallery with its newest upload.
type GalleryItem struct {
	ID        string
	FolderID  int64 // 0 at the top
	Name      string
	Kind      string // image, video, audio or document
	Alt       string // what an image shows
	FileID    int64  // what the address serves; 0 until the first file is ready
	IsPublic  bool
	State     string // of the newest file: waiting, ready or refused
	Problem   string // why the newest file was refused
	MIMEType  string
	Size      int64  // bytes
	SHA256    string // of the served bytes, empty until the first file is ready
	Width     int    // pixels; 0 for what is no image
	Height    int
	Thumbnail string // name of the smallest variant: small or full; empty without one
	CreatedBy string // name of an administrator, empty if unknown
	CreatedAt time.Time
	UpdatedAt time.Time
	TrashedAt *time.Time
	Uses      int // pages with a live revision or draft that names it
}

// GalleryFile is one upload of an item.
type GalleryFile struct {
	ID           int64
	ItemID       string
	State        string
	Problem      string
	Object       string // as uploaded, empty once its sizes are made
	MIMEType     string
	SourceSHA256 string
	CreatedBy    int64
}

// GalleryRendition is what is served of a file in one size.
type GalleryRendition struct {
	FileID   int64
	Variant  string // full, large, medium or small
	Object   string
	MIMEType string
	Size     int64
	SHA256   string
	Width    int
	Height   int
}

// GalleryUse is a page that names an item of the gallery.
type GalleryUse struct {
	ItemID     int64
	ProductID  int64
	Kind       string
	Slug       string
	Title      string // name or title in the revision
	Number     int    // of the revision
	IsLive     bool
	IsDraft    bool
	RevisionID int64
}

// MediaSettings limit the files of the gallery, in bytes by kind.
type MediaSettings struct {
	Image    int64 `json:"image"`
	Video    int64 `json:"video"`
	Audio    int64 `json:"audio"`
	Document int64 `json:"document"`
}

// GalleryPicture is one size of a public image.
type GalleryPicture struct {
	ID       string
	Name     string
	Alt      string
	Variant  string
	MIMEType string
	SHA256   string
	Width    int
	Height   int
}
