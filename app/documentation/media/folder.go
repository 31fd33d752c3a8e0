package media

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

const (
	maxFolderName  = 80 // characters
	maxFolderDepth = 8
	maxFolders     = 1000
)

// Folders are the folders of the gallery.
type Folders struct{ db db.Beginner }

// List returns every folder by name.
func (f *Folders) List(ctx context.Context) ([]models.GalleryFolder, error) {
	list, err := queries.GalleryFolderList(ctx, f.db)
	if err != nil {
		return nil, fmt.Errorf("reading the folders of the gallery: %w", err)
	}
	return list, nil
}

// Path returns the folders from the top to a folder, nil if it does not exist.
func Path(all []models.GalleryFolder, id int64) (path []models.GalleryFolder) {
	byID := lists.By(all, func(f models.GalleryFolder) int64 { return f.ID })
	for id != 0 && len(path) <= len(all) {
		f, ok := byID[id]
		if !ok {
			return nil
		}
		path = append([]models.GalleryFolder{f}, path...)
		id = f.ParentID
	}
	return path
}

// within returns the ids of a folder and of all folders in it.
func within(all []models.GalleryFolder, id int64) []int64 {
	ids := []int64{id}
	for i := 0; i < len(ids) && i <= len(all); i++ {
		for _, f := range all {
			if f.ParentID == ids[i] {
				ids = append(ids, f.ID)
			}
		}
	}
	return ids
}

func missingFolder() error {
	return fault.InvalidFields(fault.Field{Name: "folder", Message: "This folder does not exist any more. Choose another one."})
}

func checkFolder(ctx context.Context, q db.Querier, id int64) error {
	if id == 0 {
		return nil
	}
	all, err := queries.GalleryFolderList(ctx, q)
	if err != nil {
		return fmt.Errorf("reading the folders of the gallery: %w", err)
	}
	if Path(all, id) == nil {
		return missingFolder()
	}
	return nil
}

// Add makes a folder and returns its id. Invalid input names its fields.
func (f *Folders) Add(ctx context.Context, by Actor, parentID int64, name string) (id int64, err error) {
	err = f.change(ctx, by, "media.folder.add", models.GalleryFolder{ParentID: parentID, Name: name}, func(tx pgx.Tx, f models.GalleryFolder) (int64, error) {
		id, err = writes.GalleryFolderInsert(ctx, tx, f)
		return id, err
	})
	return id, err
}

// Update renames and moves a folder. Invalid input names its fields.
func (f *Folders) Update(ctx context.Context, by Actor, folder models.GalleryFolder) error {
	return f.change(ctx, by, "media.folder.update", folder, func(tx pgx.Tx, f models.GalleryFolder) (int64, error) {
		return f.ID, writes.GalleryFolderUpdate(ctx, tx, f)
	})
}

func (f *Folders) change(ctx context.Context, by Actor, action string, folder models.GalleryFolder, save func(pgx.Tx, models.GalleryFolder) (int64, error)) error {
	var err error
	if folder.Name, err = folderName(folder.Name); err != nil {
		return err
	}
	return db.InTx(ctx, f.db, func(tx pgx.Tx) error {
		if err := queries.GalleryFolderLock(ctx, tx); err != nil {
			return fmt.Errorf("locking the folders of the gallery: %w", err)
		}
		all, err := queries.GalleryFolderList(ctx, tx)
		if err != nil {
			return fmt.Errorf("reading the folders of the gallery: %w", err)
		}
		if err := checkPlace(all, folder); err != nil {
			return err
		}
		id, err := save(tx, folder)
		if err != nil {
			return fmt.Errorf("saving a folder of the gallery: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Name, Action: action, Target: fmt.Sprintf("media folder:%d", id), Details: map[string]any{"name": folder.Name, "parent": folder.ParentID}})
	})
}

func folderName(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	odd := func(r rune) bool { return !unicode.IsPrint(r) || r == '/' || r == '\\' }
	if text == "" || len([]rune(text)) > maxFolderName || strings.ContainsFunc(text, odd) {
		return "", fault.InvalidFields(fault.Field{Name: "name", Message: "Enter a name of at most 80 characters, without slashes."})
	}
	return text, nil
}

// checkPlace checks the place and the name of a folder among all others.
func checkPlace(all []models.GalleryFolder, f models.GalleryFolder) error {
	parents := Path(all, f.ParentID)
	inside := within(all, f.ID)
	switch {
	case f.ID != 0 && Path(all, f.ID) == nil:
		return fault.New(fault.NotFound, "This folder does not exist.")
	case f.ParentID != 0 && parents == nil:
		return missingFolder()
	case len(parents) >= maxFolderDepth:
		return fault.InvalidFields(fault.Field{Name: "folder", Message: "Folders can be 8 levels deep. Choose a place further up."})
	case f.ID == 0 && len(all) >= maxFolders:
		return fault.New(fault.Conflict, "The gallery has 1,000 folders, the most that it can have.")
	}
	for _, id := range inside {
		if f.ID != 0 && id == f.ParentID {
			return fault.InvalidFields(fault.Field{Name: "folder", Message: "A folder cannot be moved into itself."})
		}
	}
	for _, other := range all {
		if other.ID != f.ID && other.ParentID == f.ParentID && strings.EqualFold(other.Name, f.Name) {
			return fault.InvalidFields(fault.Field{Name: "name", Message: "There is a folder with this name already. Choose another name."})
		}
	}
	return nil
}

// Content returns the ids of the files in a folder and in the folders in it.
func (f *Folders) Content(ctx context.Context, id int64) ([]string, error) {
	all, err := f.List(ctx)
	if err != nil {
		return nil, err
	}
	if Path(all, id) == nil {
		return nil, fault.New(fault.NotFound, "This folder does not exist.")
	}
	return queries.GalleryFolderItems(ctx, f.db, within(all, id))
}

// Remove removes a folder with the folders in it, and puts their files into
// the trash. It is refused while a published page uses one of the files.
func (f *Folders) Remove(ctx context.Context, by Actor, id int64) error {
	return db.InTx(ctx, f.db, func(tx pgx.Tx) error {
		if err := queries.GalleryFolderLock(ctx, tx); err != nil {
			return fmt.Errorf("locking the folders of the gallery: %w", err)
		}
		all, err := queries.GalleryFolderList(ctx, tx)
		if err != nil {
			return fmt.Errorf("reading the folders of the gallery: %w", err)
		}
		path := Path(all, id)
		if path == nil {
			return fault.New(fault.NotFound, "This folder does not exist.")
		}
		folders := within(all, id)
		items, err := queries.GalleryFolderItems(ctx, tx, folders)
		if err != nil {
			return fmt.Errorf("reading folder %d of the gallery: %w", id, err)
		}
		if err := checkUnused(ctx, tx, items); err != nil {
			return err
		}
		if _, err := writes.GalleryItemUpdateTrashed(ctx, tx, items, true); err != nil {
			return fmt.Errorf("moving files to the trash: %w", err)
		}
		if err := writes.GalleryFolderDelete(ctx, tx, folders); err != nil {
			return fmt.Errorf("deleting folder %d of the gallery: %w", id, err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor:   by.Name,
			Action:  "media.folder.delete",
			Target:  fmt.Sprintf("media folder:%d", id),
			Details: map[string]any{"name": path[len(path)-1].Name, "files": len(items), "folders": len(folders)},
		})
	})
}
