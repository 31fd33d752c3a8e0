package sdk

import (
	"archive/zip"
	"bytes"
	"embed"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"
	"time"

	"heliograph/app/fault"
	"heliograph/app/lists"
)

// maxSize is the size of the files of an archive together, in bytes.
const maxSize = 64 << 20

// Language is a programming language that archives are written in.
type Language struct {
	Slug    string   // in addresses
	Title   string   // for readers
	Aliases []string // in addresses

	files func(*view) ([]File, error)
	quick func(*view) string // the call of one method with its example
}

// Languages lists the languages, in the order in which readers see them.
var Languages = []*Language{
	{"node", "Node.js", []string{"nodejs", "js", "javascript", "typescript", "ts"}, nodeFiles, nodeQuick},
	{"python", "Python", []string{"py", "python3"}, pythonFiles, pythonQuick},
	{"java", "Java", nil, javaFiles, javaQuick},
	{"php", "PHP", nil, phpFiles, phpQuick},
	{"csharp", "C#", []string{"cs", "c#", "dotnet"}, csharpFiles, csQuick},
	{"go", "Go", []string{"golang"}, goFiles, goQuick},
}

// Find returns the language with the slug or an alias, nil where there is none.
func Find(name string) *Language {
	name = strings.ToLower(name)
	return lists.First(Languages, func(l *Language) bool { return l.Slug == name || slices.Contains(l.Aliases, name) })
}

// File is a file of an archive.
type File struct {
	Path string
	Data []byte
}

// archiveFiles returns the files of an archive, sorted by their paths.
func archiveFiles(api *API, l *Language) ([]File, error) {
	v := newView(api, l)
	list, err := l.files(v)
	if err != nil {
		return nil, fmt.Errorf("writing the %s archive: %w", l.Slug, err)
	}
	list = append(list, v.common()...)
	size := 0
	for _, f := range list {
		size += len(f.Data)
	}
	if size > maxSize {
		return nil, fault.New(fault.TooLarge, "The %s archive would have %d bytes. At most %d are allowed.", l.Title, size, maxSize)
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// Archive returns the archive of an API in a language, a ZIP file, in a folder of its
// own name, and what pages show of it. They depend on the arguments alone.
func Archive(api *API, l *Language) (data []byte, shown Preview, err error) {
	list, err := archiveFiles(api, l)
	if err != nil {
		return nil, shown, err
	}
	data, err = pack(api, l, list)
	return data, newPreview(api, l, list), err
}

// pack writes files into an archive.
func pack(api *API, l *Language, list []File) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	folder := Folder(api.Product, api.Version, l)
	for _, f := range list {
		h := &zip.FileHeader{Name: folder + "/" + f.Path, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(0o644)
		part, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Folder returns the name of the folder within an archive.
func Folder(product, version string, l *Language) string {
	return product + "-" + version + "-" + l.Slug
}

//go:embed golang/*.tmpl node/*.tmpl python/*.tmpl java/*.tmpl php/*.tmpl csharp/*.tmpl
var folders embed.FS

// templates parses the templates of a folder. Their actions stand between « and »,
// which no programming language uses.
func templates(folder string, funcs template.FuncMap) *template.Template {
	all := template.FuncMap{"quote": quote, "single": quoteSingle, "line": lineComment, "jsdoc": blockComment, "xml": xmlComment, "doc": docString, "oneline": oneLine, "join": strings.Join}
	maps.Copy(all, funcs)
	t := template.New(folder).Delims("«", "»").Funcs(all)
	return template.Must(t.ParseFS(folders, folder+"/*.tmpl"))
}

// oneLine writes a text into a comment of one line.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(clean(text)), " ")
	text = strings.NewReplacer("*/", "", `\`, "/", `"`, "'", "?>", "", "`", "'").Replace(text)
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "")
	}
	return text
}

// execute runs a template.
func execute(t *template.Template, name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, path.Base(name), data); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
