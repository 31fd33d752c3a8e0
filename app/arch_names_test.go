package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// topNames returns the names of a declaration at the top of its package: no methods and
// no fields.
func topNames(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name)
			case *ast.ValueSpec:
				names = append(names, s.Names...)
			}
		}
	}
	return names
}

// exportedNames returns the topNames of a declaration that are exported.
func exportedNames(d ast.Decl) []*ast.Ident {
	return slices.DeleteFunc(topNames(d), func(name *ast.Ident) bool { return !name.IsExported() })
}

// The exported names that no other package uses, with the reason.
var unusedNames = func() map[string]string {
	reasons := map[string]string{}
	for pkg, names := range map[string]string{
		"db/models": "SMSContest", "app/documentation/published": "SectionGuide", "app/documentation/console": "Header Checks Problem Code Failure",
		"app/channels/messaging":           "FlowKeys Inbound Limits Sender",
		"app/channels/messaging/templates": "Service",
		"app/channels/messaging/media":     "Store Uploads", "app/channels/messaging/shop": "Service", "app/channels/messaging/assets": "Numbers Profiles QRCodes",
		"app/channels/rcs":   "Bots Desk Devices Limits Sender Templates Webhooks",
		"app/people/contact": "Desk Stamps", "app/documentation/media": "Folders", "app/documentation/importing": "Tokens Watches",
	} {
		for _, name := range strings.Fields(names) {
			reasons[pkg+"."+name] = "type of a field"
		}
	}
	reasons["app/web/reader.Address"] = "type of the addresses in the route table"
	reasons["app/outbound.GraphPayment"] = "what a method of a field returns"
	// The intermediate form of client libraries is one family, which templates read.
	for _, name := range strings.Fields(`Resource Method ExampleArgument Param Body Part Result Page Scheme Webhook Type Model Field Value Variant Name File
		BodyJSON BodyForm BodyMultipart BodyBinary BodyText Any String Integer Number Boolean Binary Array Map Ref Object Enum Union`) {
		reasons["app/documentation/sdk."+name] = "part of the intermediate form"
	}
	return reasons
}()

// checkUnused finds exported names that no other package uses, in its tests
// neither. What an exported function or method returns is used through it. The
// constants of a type are used together, and with them the type.
func checkUnused(tr *tree) (findings []string) {
	used := usedNames(tr)
	for _, f := range tr.files {
		if f.test || f.ast.Name.Name == "main" {
			continue
		}
		for _, d := range f.ast.Decls {
			for _, name := range exportedNames(d) {
				if full := f.dir + "." + name.Name; !used[full] && unusedNames[full] == "" {
					findings = append(findings, tr.at(name, "no other package uses %s: unexport it, and let tests of the package have it from export_test.go", full))
				}
			}
		}
	}
	return findings
}

// usedNames returns the names, with their packages, that other packages use.
func usedNames(tr *tree) map[string]bool {
	used := map[string]bool{}
	values := map[string][]string{} // constants of each type
	for _, f := range tr.files {
		f.selectors(func(_ ast.Node, imported, name string) {
			if home, ours := strings.CutPrefix(imported, module); ours && home != f.dir {
				used[home+"."+name] = true
			}
		})
		if f.test {
			continue
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isOffered(fn) {
				for _, name := range resultNames(fn.Type) {
					used[f.dir+"."+name] = true
				}
			}
			for name, t := range constantTypes(d) {
				values[f.dir+"."+t] = append(values[f.dir+"."+t], f.dir+"."+name)
			}
		}
	}
	for t, names := range values {
		if slices.ContainsFunc(names, func(name string) bool { return used[name] }) {
			used[t] = true
			for _, name := range names {
				used[name] = true
			}
		}
	}
	return used
}

// constantTypes returns the constants of a declaration that it names a type for.
func constantTypes(d ast.Decl) map[string]string {
	types := map[string]string{}
	group, ok := d.(*ast.GenDecl)
	if !ok || group.Tok != token.CONST {
		return types
	}
	var last string // which constants without a value take over
	for _, spec := range group.Specs {
		s := spec.(*ast.ValueSpec)
		if t, ok := s.Type.(*ast.Ident); ok {
			last = t.Name
		} else if len(s.Values) > 0 {
			last = ""
		}
		for _, name := range s.Names {
			if last != "" {
				types[name.Name] = last
			}
		}
	}
	return types
}

// isOffered reports whether other packages can call a function: it is exported,
// and so is the type that it is a method of.
func isOffered(fn *ast.FuncDecl) bool {
	if !fn.Name.IsExported() || fn.Recv == nil {
		return fn.Name.IsExported()
	}
	names := typeNames(fn.Recv.List[0].Type)
	return len(names) > 0 && ast.IsExported(names[0])
}

// resultNames returns the types of the same package that a function returns.
func resultNames(fn *ast.FuncType) (names []string) {
	if fn.Results == nil {
		return nil
	}
	for _, field := range fn.Results.List {
		names = append(names, typeNames(field.Type)...)
	}
	return names
}

// typeNames returns the names without a package in the expression of a type.
func typeNames(t ast.Expr) (names []string) {
	ast.Inspect(t, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.Ident:
			names = append(names, n.Name)
		}
		return true
	})
	return names
}

// A name is used by another package, its tests included, through a function that
// returns it, or with another constant of its type.
func TestUnusedNames(t *testing.T) {
	t.Parallel()
	source := `package x
		type T struct{}
		func New() *T { return nil }
		type Kind string
		const (
			A Kind = "a"
			B Kind = "b"
		)
		var V int
		type hidden struct{}
		func (hidden) Get() (r Result) { return r }
		type Result struct{}`
	for user, want := range map[string][]string{
		`package y; import "heliograph/app/x"; var _ = x.New`:                {"A", "B", "Kind", "Result", "V"},
		`package y; import "heliograph/app/x"; var _ = x.A; var _ = x.V`:     {"New", "Result"},
		`package y; import "heliograph/app/x"; var _ x.Kind; var _ x.Result`: {"A", "B", "New", "V"},
	} {
		for name, unused := range map[string][]string{
			"app/y/y.go": want, "app/y/y_test.go": want, "app/x/x_test.go": {"A", "B", "Kind", "New", "Result", "V"},
		} {
			tr := readTree(t, fstest.MapFS{"app/x/x.go": {Data: []byte(source)}, name: {Data: []byte(user)}})
			var found []string
			for _, finding := range checkUnused(tr) {
				if full, ok := strings.CutPrefix(strings.Fields(finding)[5], "app/x."); ok {
					found = append(found, strings.TrimSuffix(full, ":"))
				}
			}
			slices.Sort(found)
			if !slices.Equal(found, unused) {
				t.Errorf("%s in %s: unused are %v, want %v", user, name, found, unused)
			}
		}
	}
}
