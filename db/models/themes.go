package models

import "time"

// ThemeRevision is a published theme of a surface.
type ThemeRevision struct {
	ID         int64
	Surface    string
	Number     int
	Document   []byte // JSON
	Stylesheet string // empty for the default theme
	Hash       string // of the style sheet
	Origin     string // how it came about; may be empty
	AuthorID   int64  // 0 after the administrator was deleted
	Author     string // name of the administrator
	CreatedAt  time.Time
}

// ThemeDraft is a theme that is prepared.
type ThemeDraft struct {
	Surface    string
	Document   []byte // JSON
	Stylesheet string
	Hash       string
	Version    int
	AuthorID   int64
	Author     string
	UpdatedAt  time.Time
}

// ThemePicture is a logo or an icon.
type ThemePicture struct {
	Name        string // in its address
	Object      string
	ContentType string
	Size        int // bytes
}
