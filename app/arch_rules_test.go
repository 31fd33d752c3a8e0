package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const module = "heliograph/"

func checkImports(tr *tree) (findings []string) {
	for _, f := range tr.files {
		home, allowed := table(f.dir)
		if home == "" {
			findings = append(findings, fmt.Sprintf("%s: the package has no line in mayImport: decide what it may import and add one", f.path))
		}
		if f.test {
			continue
		}
		for _, spec := range f.ast.Imports {
			target, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module)
			switch {
			case !ours || within(f.dir, testPackages...) && !within(f.dir, "db/dbtest"):
			case within(target, testPackages...):
				findings = append(findings, tr.at(spec, "%s is for tests: import it in _test.go files only", target))
			case home != "app" && !permits(allowed, target):
				findings = append(findings, tr.at(spec, "%s may not import %s: declare the small interface that you need and let main pass it in, or move the code", home, target))
			}
		}
	}
	return findings
}

// table returns the line of mayImport that decides for dir.
func table(dir string) (home string, allowed []string) {
	for folder, list := range mayImport {
		// app is package main alone, not what lies below it.
		if within(dir, folder) && len(folder) > len(home) && (folder != "app" || dir == "app") {
			home, allowed = folder, list
		}
	}
	return home, allowed
}

// permits reports whether the longest line that target falls under is allowed.
func permits(allowed []string, target string) bool {
	home, _ := table(target)
	return slices.Contains(allowed, home)
}

func checkLibraries(tr *tree) (findings []string) {
	for _, f := range tr.written() {
		for _, spec := range f.ast.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			for library, homes := range libraryHomes {
				if !within(imported, library) || within(f.dir, homes...) {
					continue
				}
				if homes == nil {
					findings = append(findings, tr.at(spec, "%s has no place here: libraryHomes names what does its work", library))
				} else {
					findings = append(findings, tr.at(spec, "%s belongs in %s: call that package in place of the library", library, strings.Join(homes, ", ")))
				}
			}
		}
	}
	return findings
}

func checkDials(tr *tree) (findings []string) {
	for _, f := range tr.written() {
		// The S3 server is the operator's, as the database is: its client dials it.
		if within(f.dir, "app/outbound", "storage") {
			continue
		}
		f.selectors(func(n ast.Node, imported, name string) {
			if names := dialNames[imported]; names != nil && names.MatchString(name) {
				findings = append(findings, tr.at(n, "%s.%s dials out: only app/outbound may, behind its guard", imported, name))
			}
		})
	}
	return findings
}

// A statement as this program writes them, not a sentence of a form.
var statement = regexp.MustCompile(`^\s*(select\b[^.]*\bfrom\s+\w|select (pg_|1\b|now\(|count\()|insert into\s|update \w+ (\w+ )?set\s|delete from\s|with (recursive )?\w+ as \(|(create|alter|drop|truncate) (table|database|index|schema|type)\s|copy \w+ (from|to)\b|(un)?listen \w+$|notify \w+)`)

func checkSQL(tr *tree) (findings []string) {
	for _, f := range tr.written() {
		if within(f.dir, "db") || within(f.dir, testPackages...) {
			continue
		}
		texts(f.ast, func(lit *ast.BasicLit, text string) {
			lower := keywords.ReplaceAllStringFunc(text, strings.ToLower)
			if statement.MatchString(lower) {
				findings = append(findings, tr.at(lit, "SQL text belongs in db/queries: write a function in the wing of its table, noun first"))
			}
		})
	}
	return findings
}

var keywords = regexp.MustCompile(`\b(SELECT|FROM|INSERT INTO|UPDATE|SET|DELETE|WITH|AS|CREATE|ALTER|DROP|TABLE)\b`)

func checkWorkers(tr *tree) (findings []string) {
	for _, f := range tr.written() {
		if f.dir == "jobs" {
			findings = append(findings, longWorkers(tr, f)...)
			continue
		}
		f.selectors(func(n ast.Node, imported, name string) {
			if imported == "github.com/riverqueue/river" && (name == "WorkerDefaults" || strings.HasPrefix(name, "AddWorker") || name == "NewWorkers") {
				findings = append(findings, tr.at(n, "river.%s belongs in jobs: a rule offers a function, a worker calls it", name))
			}
		})
	}
	return findings
}

// mostOfWorker is how many lines a worker has at most.
const mostOfWorker = 40

// longWorkers finds the functions of a worker's file that do more than load, call one rule
// and complete.
func longWorkers(tr *tree, f *file) (findings []string) {
	isWorker := false
	f.selectors(func(_ ast.Node, imported, name string) {
		isWorker = isWorker || imported == "github.com/riverqueue/river" && (name == "WorkerDefaults" || name == "Job")
	})
	for _, d := range f.ast.Decls {
		work, ok := d.(*ast.FuncDecl)
		if !ok || !isWorker {
			continue
		}
		if tr.set.Position(work.End()).Line-tr.set.Position(work.Pos()).Line >= mostOfWorker {
			findings = append(findings, tr.at(work, "a worker has at most %d lines: it loads, calls one rule and completes", mostOfWorker))
		}
	}
	return findings
}

// checkPositions asks for rows by name: by position, a column that moves is
// read into another field without an error.
func checkPositions(tr *tree) (findings []string) {
	for _, f := range tr.written() {
		f.selectors(func(n ast.Node, imported, name string) {
			if imported == "github.com/jackc/pgx/v5" && strings.HasSuffix(name, "StructByPos") {
				findings = append(findings, tr.at(n, "pgx.%s: collect rows by name, with One or Many of db/queries/collect", name))
			}
		})
	}
	return findings
}

// The channels, and what only a channel's own files may say.
var (
	channelNames = []string{"messaging", "sms", "rcs"}
	channelWords = regexp.MustCompile(`(?i)invalid parameter|msgapp|whatsapp|\(#|fbtrace|^100$`)
)

// checkChannels keeps each channel to the files of app/web/api that are named
// for it, so that what they share knows none of them. The list of channels is made
// once, where the program is wired.
func checkChannels(tr *tree) (findings []string) {
	for _, f := range tr.written() {
		if f.dir != "app" && !within(f.dir, testPackages...) {
			f.selectors(func(n ast.Node, imported, name string) {
				if imported == module+"app/channels" && name == "Declared" {
					findings = append(findings, tr.at(n, "channels are passed in: take delivery.Channels where you are made"))
				}
			})
		}
		if f.dir != "app/web/api" {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(f.path, "app/web/api/"), ".go")
		own, _, _ := strings.Cut(name, "_")
		for _, channel := range channelNames {
			for _, spec := range f.ast.Imports {
				if own != channel && within(strings.Trim(spec.Path.Value, `"`), module+"app/channels/"+channel) {
					findings = append(findings, tr.at(spec, "app/channels/%s belongs in a file named %[1]s, or %[1]s_ and its resource", channel))
				}
			}
		}
		if !slices.Contains(channelNames, own) {
			texts(f.ast, func(lit *ast.BasicLit, text string) {
				if channelWords.MatchString(text) {
					findings = append(findings, tr.at(lit, "the words of a channel belong in its own files: declare them in its surface"))
				}
			})
		}
	}
	return findings
}

// River's tables are its own: one file names them, beside the migrations and
// the configuration of the clients.
var (
	riverTables = regexp.MustCompile(`\briver_(job|queue|leader|client|migration|insert|control|notification)`)
	riverHomes  = []string{"db/queries/parts/river.go", "db/migrate.go", "db/fingerprint.go", "jobs/jobs.go"}
)

// riverWriters are the parts of statements that can write to River's tables, with the
// packages that may have them: river_test.go compares what they write with River.
var riverWriters = map[string][]string{
	"Jobs":              {"db/queries/errands", "db/queries/operation"}, // the second only reads
	"JobInserted":       {"db/queries/errands"},
	"InsertMessageJobs": {"db/queries/channels/writes"},
	"NotifyJobInsert":   {"db/queries/channels/writes"},
}

func checkRiver(tr *tree) (findings []string) {
	for _, f := range tr.written() {
		if slices.Contains(riverHomes, f.path) || within(f.dir, testPackages...) {
			continue
		}
		texts(f.ast, func(lit *ast.BasicLit, text string) {
			if riverTables.MatchString(text) {
				findings = append(findings, tr.at(lit, "River's tables are named in db/queries/parts/river.go only: add a part of a statement there"))
			}
		})
		f.selectors(func(n ast.Node, imported, name string) {
			if imported == module+"db/queries/parts" && riverWriters[name] != nil && !slices.Contains(riverWriters[name], f.dir) {
				findings = append(findings, tr.at(n, "parts.%s writes to River's tables: leave that to errands or to MessageInsertMany, which tests compare with what River does", name))
			}
			if imported == module+"db" && name == "RiverSchema" && f.dir != "jobs" {
				findings = append(findings, tr.at(n, "db.RiverSchema belongs in db/queries/parts/river.go: add a part of a statement there"))
			}
		})
	}
	return findings
}

func checkDocs(tr *tree) (findings []string) {
	documented, first := map[string]bool{}, map[string]*file{}
	for _, f := range tr.written() {
		documented[f.dir] = documented[f.dir] || f.ast.Doc.Text() != ""
		first[f.dir] = cmp.Or(first[f.dir], f)
		for _, d := range f.ast.Decls {
			for _, name := range undocumented(d) {
				findings = append(findings, tr.at(name, "%s has no doc comment: say what it takes and gives", name.Name))
			}
		}
	}
	for dir, f := range first {
		if !documented[dir] {
			findings = append(findings, tr.at(f.ast.Name, "the package has no doc comment: say in a sentence what it is for"))
		}
	}
	return findings
}

// undocumented returns the exported names of a declaration that no comment
// explains: neither their own, nor one on the group, nor one at the line's end.
func undocumented(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc.Text() == "" && (d.Recv == nil || exportedReceiver(d.Recv.List[0].Type)) {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc.Text()+s.Doc.Text()+s.Comment.Text() == "" {
					names = append(names, s.Name)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() && d.Doc.Text()+s.Doc.Text()+s.Comment.Text() == "" {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

func exportedReceiver(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return exportedReceiver(e.X)
	case *ast.IndexExpr:
		return exportedReceiver(e.X)
	case *ast.Ident:
		return e.IsExported()
	}
	return false
}

// checkNouns finds folders of views without a folder of handlers by the same name: a noun
// is called the same in both layers.
func checkNouns(tr *tree) (findings []string) {
	for _, dir := range tr.dirs {
		parts := strings.Split(dir, "/")
		if len(parts) != 3 || parts[0] != "views" {
			continue
		}
		if home := "app/web/" + parts[1] + "/" + parts[2]; !slices.Contains(tr.dirs, home) {
			findings = append(findings, dir+": no folder "+home+" serves it: name both for the noun of the page, or move what many pages show to views/ui")
		}
	}
	return findings
}

func checkNames(tr *tree) (findings []string) {
	for _, dir := range tr.dirs {
		for part := range strings.SplitSeq(dir, "/") {
			if bannedNames.MatchString(part) {
				findings = append(findings, fmt.Sprintf("%s: %s says nothing about what is inside: name the folder after its noun", dir, part))
			}
		}
	}
	return findings
}

// The exported types of rules that hold a database and nothing else: parts that callers
// reach through another type.
var databaseParts = []string{"app/channels/pipeline.Keys", "app/documentation/media.Folders"}

// checkRules finds types of rules that hold nothing but a database. Such rules are
// functions, so that their callers choose the transaction.
func checkRules(tr *tree) (findings []string) {
	for _, f := range tr.files {
		if f.test || !slices.ContainsFunc(slices.Collect(maps.Keys(wings)), func(wing string) bool { return within(f.dir, wing) }) {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() || slices.Contains(databaseParts, f.dir+"."+spec.Name.Name) {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok && len(s.Fields.List) == 1 && isDatabase(s.Fields.List[0].Type) {
				findings = append(findings, tr.at(spec, "%s holds a database and nothing else: make its rules functions of the database", spec.Name.Name))
			}
			return true
		})
	}
	return findings
}

// isDatabase reports whether a type is what rules read or write with.
func isDatabase(t ast.Expr) bool {
	if pointer, ok := t.(*ast.StarExpr); ok {
		t = pointer.X
	}
	s, ok := t.(*ast.SelectorExpr)
	return ok && slices.Contains([]string{"Beginner", "Querier", "Pool"}, s.Sel.Name)
}

func checkTop(tr *tree) (findings []string) {
	for _, name := range tr.top {
		if !topLevel.MatchString(name) {
			findings = append(findings, fmt.Sprintf("%s does not belong at the top level, which is fixed: move it into app, jobs, views, static, db or storage", name))
		}
	}
	return findings
}

// checkMap holds the list of wings in app/doc.go to the folders that there are.
func checkMap(tr *tree) (findings []string) {
	at := slices.IndexFunc(tr.files, func(f *file) bool { return f.path == "app/doc.go" })
	if at < 0 {
		return nil
	}
	doc := tr.files[at].ast.Doc.Text()
	for wing := range wings {
		var want []string
		for _, f := range tr.files {
			if rest, inside := strings.CutPrefix(f.dir, wing+"/"); inside {
				noun, _, _ := strings.Cut(rest, "/")
				want = append(want, noun)
			}
		}
		slices.Sort(want)
		line := "\t" + strings.TrimPrefix(wing, "app/") + " "
		list := ": " + strings.Join(slices.Compact(want), " ") + "\n"
		if _, after, found := strings.Cut(doc, line); !found || !strings.Contains(strings.SplitAfter(after, "\n")[0], list) {
			findings = append(findings, fmt.Sprintf("app/doc.go: the line of %s must end with%s", wing, list))
		}
	}
	return findings
}
