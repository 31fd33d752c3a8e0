package sdk

import "strings"

// Needs returns what a library needs to run.
func Needs(l *Language) string { return manuals[l.Slug].needs }

// Guide returns the commands that install a library, a first program, and the syntax of
// the program.
func Guide(product, version string, l *Language) (install, start, syntax string) {
	api := &API{Product: product, Version: version, SDKVersion: "1.0.0"}
	v := newView(api, l)
	name := v.Package
	if l.Slug == "node" {
		name = v.Slug
	}
	m := manuals[l.Slug]
	m.start = strings.NewReplacer("FOLDER", Folder(product, version, l), "NAMESPACE", v.Namespace()).Replace(m.start)
	return fenced(strings.ReplaceAll(fill(m.install, Folder(product, version, l), name), "NAMESPACE", v.Namespace())), fill(m.start, name), m.syntax
}
