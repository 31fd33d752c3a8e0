package theme

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"heliograph/app/fault"
)

// MaxImport is the largest file that is imported, in bytes.
const MaxImport = 64 << 10

// exportFormat identifies the files of Export.
const exportFormat = "heliograph-theme-1"

type file struct {
	Format string `json:"format"`
	Document
}

// Export writes a document as a file. Pictures stay where they are: their names are
// exported, and an import keeps those that are stored there.
func Export(d Document) []byte {
	text, err := json.MarshalIndent(file{exportFormat, d}, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("theme: %v", err)) // it holds text alone
	}
	return append(text, '\n')
}

// Import reads a file of Export. The document is checked when it is saved.
func Import(text []byte) (Document, error) {
	var f file
	if len(text) > MaxImport {
		return Document{}, fault.InvalidFields(fault.Field{Name: "file", Message: fmt.Sprintf("The file is larger than %d kB.", MaxImport>>10)})
	}
	reader := json.NewDecoder(bytes.NewReader(text))
	reader.DisallowUnknownFields()
	err := reader.Decode(&f)
	if _, end := reader.Token(); err == nil && !errors.Is(end, io.EOF) {
		err = errors.New("something follows the theme")
	}
	if err != nil {
		return Document{}, fault.InvalidFields(fault.Field{Name: "file", Message: "The file is no exported theme: " + shortened(err.Error()) + "."})
	}
	if f.Format != exportFormat {
		return Document{}, fault.InvalidFields(fault.Field{Name: "file", Message: fmt.Sprintf("The file has the format %q. Choose a file that was exported here, with the format %q.", shortened(f.Format), exportFormat)})
	}
	return f.Document, nil
}
