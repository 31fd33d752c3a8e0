package sdk

import "strings"

// Preview is what pages show of an archive.
type Preview struct {
	Run     string            `json:"run"`   // commands that run the example, in the archive's folder
	Path    string            `json:"path"`  // of the example, in the archive
	Start   string            `json:"start"` // the example
	Changes []Change          `json:"changes"`
	Calls   map[string]string `json:"-"` // code that calls each operation, by the slugs of their pages
}

// newPreview returns what pages show of an archive with some files.
func newPreview(api *API, l *Language, list []File) Preview {
	p := Preview{Changes: api.Changes, Calls: map[string]string{}}
	v := newView(api, l)
	for _, s := range v.quickSchemes() {
		p.Run += "export " + s.Env + "=" + shell("<"+strings.ReplaceAll(s.Name.Snake, "_", " ")+">") + "\n"
	}
	p.Run += v.quickCommand() + "\n"
	for _, f := range list {
		if strings.HasPrefix(f.Path, "examples/") && !strings.HasSuffix(f.Path, "proj") {
			p.Path, p.Start = f.Path, string(f.Data)
		}
	}
	for _, r := range api.Resources {
		for _, m := range r.Methods {
			v.First = m
			v.Quick = l.quick(v)
			p.Calls[m.Slug] = v.quickCode()
		}
	}
	return p
}
