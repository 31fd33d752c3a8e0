// Package media answers the pages of the media gallery in the administration.
package media

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/media"
	"heliograph/app/lists"
	"heliograph/app/operation/setting"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/views/ui"

	view "heliograph/views/documentation/media"
)

// The paths of the gallery.
const (
	Path         = "/admin/media"
	trashPath    = Path + "/trash"
	settingsPath = Path + "/settings"
	itemsPath    = Path + "/items/"
	foldersPath  = Path + "/folders"
	uploadPath   = Path + "/upload"
)

// topic is what open pages hear of when the gallery changes.
const topic = "media"

const heading = "Media"

// Options holds the dependencies of the handlers.
type Options struct {
	DB        db.Querier // read only
	Library   *media.Library
	Settings  *setting.Settings
	Signals   *db.Signals // may be nil
	PublicURL string
}

// Handlers answers the routes under /admin/media.
type Handlers struct{ Options }

// New returns the handlers of the gallery.
func New(o Options) *Handlers { return &Handlers{o} }

func actor(c echo.Context) media.Actor {
	user := page.User(c)
	return media.Actor{ID: user.ID, Name: user.Actor()}
}

func mayChange(c echo.Context) bool { return page.User(c).Role != identity.Viewer }

func isSuperAdmin(c echo.Context) bool { return page.User(c).Role == identity.SuperAdmin }

func itemPath(id string) string { return itemsPath + id }

func folderPath(id int64) string { return fmt.Sprintf("%s/%d", foldersPath, id) }

// listPath returns the address of an open folder, 0 for the top.
func listPath(folder int64) string {
	if folder == 0 {
		return Path
	}
	return Path + "?folder=" + strconv.FormatInt(folder, 10)
}

// contentPath returns the address at which administrators see the bytes of an item.
func contentPath(item models.GalleryItem, size string) string {
	version := item.SHA256
	return itemPath(item.ID) + "/content?size=" + size + "&v=" + version[:min(len(version), 12)]
}

// facts describes a file in a line.
func facts(item models.GalleryItem) string {
	if item.SHA256 == "" {
		return ""
	}
	parts := []string{humanize.IBytes(uint64(item.Size))}
	if item.Width > 0 {
		parts = append(parts, fmt.Sprintf("%d × %d", item.Width, item.Height))
	}
	return strings.Join(parts, ", ")
}

// marks names what needs attention.
func marks(item models.GalleryItem) (list []ui.Mark) {
	switch {
	case item.State == "waiting":
		list = append(list, ui.Mark{Tone: ui.Info, Text: "Preparing"})
	case item.State == "refused" && item.FileID == 0:
		list = append(list, ui.Mark{Tone: ui.Bad, Text: "Refused"})
	case item.State == "refused":
		list = append(list, ui.Mark{Tone: ui.Bad, Text: "Replacement refused"})
	}
	if !item.IsPublic {
		list = append(list, ui.Mark{Tone: ui.Warn, Text: "Waits for a release"})
	}
	if item.Kind == media.Image && item.Alt == "" {
		list = append(list, ui.Mark{Tone: ui.Warn, Text: "Needs a description"})
	}
	return list
}

var kindLabels = []ui.Option{{Label: "All types"}, {Value: media.Image, Label: "Images"}, {Value: media.Video, Label: "Videos"}, {Value: media.Audio, Label: "Audio"}, {Value: media.Document, Label: "Documents"}}

// extension returns the last part of a name in capitals, for files without a picture.
func extension(name string) string {
	return strings.ToUpper(name[strings.LastIndexByte(name, '.')+1:])
}

func card(item models.GalleryItem) view.Card {
	c := view.Card{Link: ui.Link{Label: item.Name, Href: itemPath(item.ID)}, Kind: extension(item.Name), Alt: item.Alt, Facts: facts(item), Marks: marks(item)}
	if item.Thumbnail != "" {
		c.Picture = contentPath(item, item.Thumbnail)
	}
	return c
}

// folderOptions lists all folders with their places.
func folderOptions(all []models.GalleryFolder, without func(int64) bool) []ui.Option {
	options := []ui.Option{{Value: "0", Label: "Top of the gallery"}}
	for _, f := range all {
		if without != nil && without(f.ID) {
			continue
		}
		names := lists.Map(media.Path(all, f.ID), func(p models.GalleryFolder) string { return p.Name })
		options = append(options, ui.Option{Value: strconv.FormatInt(f.ID, 10), Label: strings.Join(names, " / ")})
	}
	return options
}
