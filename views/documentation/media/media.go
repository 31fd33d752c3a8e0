// Package media shows the gallery of files to administrators.
package media

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// GalleryPage shows a folder of the gallery, the found files or the trash. Users who
// may not change it get no forms.
type GalleryPage struct {
	layout.Frame
	Lead    string
	Trail   []ui.Link // from the top to the open folder
	Folders []Folder
	Links   []ui.Link // to the trash and the settings
	List    ui.Listing
	Cards   []Card
	Results *Results
	Upload  *Upload
	Add     *FolderForm
	Change  *FolderForm // of the open folder
	Empty   *ui.Ask     // empties the trash
}

// Folder is a folder in a list.
type Folder struct {
	ui.Link
	Count string
}

// Card is a file in a list.
type Card struct {
	ui.Link
	Picture string // address of a thumbnail, empty without one
	Kind    string // shown instead of a thumbnail
	Alt     string
	Facts   string    // such as size and pixels
	Marks   []ui.Mark // what needs attention
}

// Upload is the form for new files.
type Upload struct {
	Action, CSRF string
	// Label is the heading of the form, and Submit its button.
	Label, Submit string
	Hint          string
	Accept        string
	Multiple      bool
	Hidden        []ui.Pair // sent before the files
	Problem       string
	Into          ui.Region
}

// Results lists the outcome of an upload, file by file.
type Results struct {
	Summary string
	Files   []Result
	// Describe is the form for alternative texts of the images that were added; nil
	// without images.
	Describe *Describe
}

// Result is the outcome of one file.
type Result struct {
	Name string
	Tone ui.Tone
	Mark string // such as Added
	Text string // why it was refused, or which file is the same
	Link ui.Link
}

// Describe is the form for the alternative texts of several images.
type Describe struct {
	Action, CSRF string
	Images       []Described
}

// Described is an image with the field of its alternative text.
type Described struct {
	Picture string // empty while its sizes are made
	Field   ui.Input
}

// FolderForm is the form of a folder.
type FolderForm struct {
	Name         string // tells the forms of a page apart
	Action, CSRF string
	Hidden       []ui.Pair
	Field        ui.Input
	Parent       *ui.Select // where it is; nil for a new folder in the open one
	Problem      string
	Submit       string
	Remove       *ui.Ask
}

// ItemPage shows one file.
type ItemPage struct {
	layout.Frame
	Preview Preview
	Marks   []ui.Mark
	Facts   []ui.Pair
	Embed   ui.Code // Markdown to insert; empty without one
	Details *Details
	Replace *Upload
	Uses    ui.Table
	Actions []ui.Ask
	Publish *ui.Post
	Problem string
	Refresh templ.Attributes // while its sizes are made
}

// Preview shows the file.
type Preview struct {
	Kind    string // image, video, audio or document
	Address string
	Alt     string
	Width   string
	Height  string
	Waiting bool
}

// Details is the form of a file.
type Details struct {
	Action, CSRF string
	Problem      string
	Name         ui.Input
	Alt          *ui.TextArea // of an image
	Folder       ui.Select
}

// SettingsPage shows the limits of files.
type SettingsPage struct {
	layout.Frame
	Action string
	Fields []ui.Input
}
