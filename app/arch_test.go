package main

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// The rules of the source tree. Each returns its findings: a place, what is
// wrong and what to do.
var archRules = map[string]func(tr *tree) []string{
	"imports":   checkImports,
	"libraries": checkLibraries,
	"dials":     checkDials,
	"sql":       checkSQL,
	"workers":   checkWorkers,
	"river":     checkRiver,
	"channels":  checkChannels,
	"positions": checkPositions,
	"unused":    checkUnused,
	"docs":      checkDocs,
	"map":       checkMap,
	"names":     checkNames,
	"nouns":     checkNouns,
	"rules":     checkRules,
	"top level": checkTop,
}

func TestArchitecture(t *testing.T) {
	t.Parallel()
	tr := readTree(t, os.DirFS(".."))
	if len(tr.files) < 30 {
		t.Fatalf("only %d Go files were found: the test looks in the wrong place", len(tr.files))
	}
	for name, check := range archRules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, finding := range check(tr) {
				t.Error(finding)
			}
		})
	}
}

// The four wings of the rules and the other wings that each may use. Documentation
// and channels do not know each other: what both need is in people, in operation
// or in a leaf.
var wings = map[string][]string{
	"app/documentation": {"app/people", "app/operation"},
	"app/channels":      {"app/people", "app/operation"},
	"app/people":        {"app/operation"},
	"app/operation":     nil,
}

// Packages that import nothing of ours, or other leaves alone.
var leaves = []string{"app/diff", "app/fault", "app/input", "app/keyring", "app/lists", "app/phone", "app/trace"}

// Packages that are pure: documents in, models, differences and texts out. Each
// wing may use its own.
var pure = map[string][]string{
	"app/documentation/card":    {"storage"},
	"app/documentation/compare": {"app/documentation/openapi"},
	"app/documentation/content": nil,
	// Images of foreign origin are re-encoded here and nowhere else.
	"app/documentation/media/picture": nil,
	"app/documentation/openapi":       nil,
	"app/documentation/reference":     {"app/documentation/compare", "app/documentation/content", "app/documentation/openapi", "app/documentation/published"},
}

// Packages that serve readers, and may not use what writes documentation.
var readers = []string{"app/documentation/feedback", "app/documentation/mcp", "app/documentation/mock", "app/documentation/published", "app/documentation/search"}

// What a package may import of ours; the longest prefix decides. A folder
// stands for itself and everything below, app for package main alone.
var mayImport = func() map[string][]string {
	// Rules of every wing leave errands in their transaction.
	stores := []string{"db", "db/models", "db/queries/errands", "jobs/args", "storage"}
	table := map[string][]string{
		"app":          nil, // main wires everything: not checked
		"app/config":   {"app/keyring"},
		"app/outbound": slices.Concat(leaves, []string{"app/config", "app/operation", "db/models"}), // it counts what it sends
		"db":           {"app/fault"},
		"db/dbtest":    {"db", "db/dev"},
		"db/dev":       nil,
		"db/models":    nil,
		"db/queries":   nil, // says how they are laid out
		"db/seed":      nil,
		"app/runtest":  nil,
		"app/porttest": nil,
		"jobs/args":    nil,
		"static":       nil,
		"storage":      {"app/fault"},
		// The S3 server of tests needs a port.
		"storage/storagetest": {"app/fault", "storage", "app/porttest"},
		"views":               {"static"},
		// Emails are written when they are queued, in the transaction of their cause.
		"views/email": nil,
	}
	for _, leaf := range leaves {
		table[leaf] = nil
	}
	// What a statement is made of.
	sql := []string{"db", "db/models", "db/queries/collect", "db/queries/parts"}
	table["db/queries/collect"], table["db/queries/parts"] = []string{"db"}, []string{"db"}
	table["db/queries/errands"], table["db/queries/across"] = sql, slices.Clone(sql)
	// Everybody may read through these; what writes to a wing goes through its rules.
	reads := []string{"db/queries/across"}
	for wing := range wings {
		read := "db/queries/" + path.Base(wing)
		reads = append(reads, read)
		table[read] = sql
		table[read+"/writes"] = append(slices.Clone(sql), read)
		table["db/queries/across"] = append(table["db/queries/across"], read)
	}
	// An administrator is deleted with the product of practice.
	table["db/queries/people/writes"] = append(table["db/queries/people/writes"], "db/queries/documentation/writes")
	rules := slices.Concat(slices.Collect(maps.Keys(wings)), slices.Collect(maps.Keys(pure)), readers)
	for wing, others := range wings {
		own := "db/queries/" + path.Base(wing)
		table[wing] = slices.Concat(leaves, others, stores, []string{"views/email", own, own + "/writes"})
		for _, other := range others {
			table[wing] = append(table[wing], "db/queries/"+path.Base(other))
		}
		for _, rule := range rules {
			if within(rule, wing) {
				table[wing] = append(table[wing], rule)
			}
		}
	}
	table["app/documentation"] = append(table["app/documentation"], "db/seed") // the glossary
	// Metrics show the whole, and each organisation has its periods of retention.
	table["app/operation"] = append(table["app/operation"], "db/queries/across", "db/queries/people")
	for dir, others := range pure {
		table[dir] = append([]string{"app/fault", "app/lists"}, others...)
	}
	for _, reader := range readers {
		table[reader] = slices.DeleteFunc(slices.Clone(table["app/documentation"]), func(home string) bool { return home == "app/documentation" })
	}
	// The pipeline hands messages to carriers, and opens the ones that operators set up.
	for _, home := range []string{"app/channels/carry", "app/channels/upstream"} {
		table[home] = append(slices.Clone(table["app/channels"]), "app/outbound", "app/channels/carry")
	}
	table["app/web"] = slices.Concat(leaves, rules, reads, []string{"app/config", "db", "db/models", "jobs/args", "static", "views"})
	// Workers read and write through the rules of each wing.
	table["jobs"] = slices.Concat(leaves, rules, []string{"app/outbound", "app/channels/carry", "app/channels/upstream", "db", "db/models", "storage", "jobs/args"})
	// The reader's pages read documentation; what writes it is app/documentation/editorial.
	table["app/web/reader"] = append(slices.DeleteFunc(slices.Clone(table["app/web"]), func(home string) bool { return home == "app/documentation" }), "app/web")
	table["app/web"] = append(table["app/web"], "app/web/reader")
	// What readers try and take has rules of its own.
	for _, part := range []string{"console", "media", "sdk"} {
		table["app/web/reader/"+part] = append(slices.Clone(table["app/web"]), "app/web")
	}
	for _, part := range []string{"console", "media", "sdk"} {
		table["app/web"] = append(table["app/web"], "app/web/reader/"+part)
	}
	// Every package may use what lies below its own line.
	for home := range table {
		table[home] = append(table[home], home)
	}
	return table
}()

// Packages that exist for tests: nothing that ships may import them.
var testPackages = []string{"db/dbtest", "app/input/inputtest", "app/people/identity/identitytest", "app/runtest", "app/porttest", "app/outbound/kanneltest", "app/documentation/editorial/seedtest", "app/documentation/openapi/codetest", "app/documentation/openapi/corpus", "app/documentation/openapi/spectest", "app/web/webtest", "storage/storagetest", "views/browsertest", "views/viewtest"}

// Libraries with one home.
var libraryHomes = map[string][]string{
	"github.com/labstack/echo":               {"app/web"},
	"github.com/wneessen/go-mail":            {"app/outbound"},
	"github.com/nyaruka/phonenumbers":        {"app/phone"},
	"github.com/alexedwards/argon2id":        {"app/people/identity"},
	"golang.org/x/crypto/argon2":             {"app/people/identity"},
	"github.com/a-h/templ":                   {"views", "app/web"},
	"github.com/alecthomas/chroma":           {"views/ui"},
	"golang.org/x/image":                     {"app/documentation/card", "app/documentation/media/picture"},
	"github.com/minio/minio-go":              {"storage"},
	"github.com/pressly/goose":               {"db"},
	"go.opentelemetry.io":                    {"app/trace"},
	"github.com/fergusstrange":               {"db/dev"},
	"net/smtp":                               nil, // go-mail speaks it
	"html/template":                          nil, // templ writes pages
	"github.com/labstack/echo/v4/middleware": {"app/web"},
}

// Names of the standard library that dial, or make something that does.
var dialNames = map[string]*regexp.Regexp{
	"net":        regexp.MustCompile(`^(Dial\w*|Dialer|Resolver|DefaultResolver|Lookup\w+)$`),
	"net/http":   regexp.MustCompile(`^(Get|Head|Post|PostForm|Client|DefaultClient|Transport|DefaultTransport)$`),
	"crypto/tls": regexp.MustCompile(`^(Dial\w*|Dialer)$`),
}

// What may stand at the top level besides dot-files and what git ignores.
var topLevel = regexp.MustCompile(`^(\..*|app|jobs|views|static|db|storage|go\.mod|go\.sum|Procfile|docker-compose\.yml|README\.md|bin|.*\.test|.*\.out)$`)

var bannedNames = regexp.MustCompile(`^(internal|pkg|utils?|common|helpers?|services?|misc|shared|base)$`)

// Each rule must find what it exists for, and only that.
func TestArchitectureFindsViolations(t *testing.T) {
	t.Parallel()
	cases := []struct{ rule, path, source, want string }{
		{"imports", "app/web/x.go", `import "heliograph/app/outbound"`, "app/web may not import app/outbound"},
		{"imports", "app/web/reader/x.go", `import "heliograph/storage"`, "may not import storage"},
		{"imports", "app/fault/x.go", `import "heliograph/db"`, "app/fault may not import db"},
		{"imports", "db/x.go", `import "heliograph/db/queries/channels"`, "db may not import db/queries/channels"},
		{"imports", "app/web/channels/logs/x.go", `import "heliograph/db/queries/channels/writes"`, "app/web may not import db/queries/channels/writes"},
		{"imports", "app/web/reader/x.go", `import "heliograph/db/queries/documentation/writes"`, "app/web/reader may not import db/queries/documentation/writes"},
		{"imports", "app/web/channels/logs/x.go", `import "heliograph/db/queries/channels"`, ""},
		{"imports", "app/web/x.go", `import "heliograph/db/queries/errands"`, "app/web may not import db/queries/errands"},
		{"imports", "app/channels/sms/x.go", `import "heliograph/db/queries/channels/writes"`, ""},
		{"imports", "app/channels/sms/x.go", `import "heliograph/db/queries/people"`, ""},
		{"imports", "app/channels/sms/x.go", `import "heliograph/db/queries/people/writes"`, "app/channels may not import db/queries/people/writes"},
		{"imports", "app/documentation/editorial/x.go", `import "heliograph/db/queries/channels"`, "app/documentation may not import db/queries/channels"},
		{"imports", "app/people/identity/x.go", `import "heliograph/db/queries/documentation/writes"`, "app/people may not import db/queries/documentation/writes"},
		{"imports", "db/queries/channels/x.go", `import "heliograph/db/queries/channels/writes"`, "db/queries/channels may not import db/queries/channels/writes"},
		{"imports", "app/documentation/published/x.go", `import "heliograph/app/documentation/editorial"`, "app/documentation/published may not import app/documentation/editorial"},
		{"imports", "app/web/reader/x.go", `import "heliograph/app/documentation/editorial"`, "app/web/reader may not import app/documentation/editorial"},
		{"imports", "app/web/admin/x.go", `import "heliograph/app/documentation/editorial"`, ""},
		{"imports", "app/web/reader/x.go", `import "heliograph/app/web/page"`, ""},
		{"imports", "app/documentation/content/x.go", `import "heliograph/db"`, "app/documentation/content may not import db"},
		{"imports", "app/documentation/editorial/x.go", `import "heliograph/app/channels/sms"`, "app/documentation may not import app/channels"},
		{"imports", "app/x.go", `import "heliograph/db/dbtest"`, "is for tests"},
		{"imports", "app/novel/x.go", ``, "has no line in mayImport"},
		{"imports", "jobs/x.go", `import "heliograph/app/channels/messaging"`, ""},
		{"imports", "jobs/x.go", `import "heliograph/db/queries/channels"`, "jobs may not import db/queries/channels"},
		{"imports", "jobs/x.go", `import "heliograph/db/queries/people/writes"`, "jobs may not import db/queries/people/writes"},
		{"imports", "jobs/x.go", `import "heliograph/db/queries/errands"`, "jobs may not import db/queries/errands"},
		{"imports", "app/web/x_test.go", `import "heliograph/app/outbound"`, ""},
		{"libraries", "app/channels/messaging/x.go", `import "github.com/labstack/echo/v4"`, "github.com/labstack/echo belongs in app/web"},
		{"libraries", "app/x.go", `import "html/template"`, "html/template has no place here"},
		{"libraries", "app/web/admin/x.go", `import "github.com/labstack/echo/v4"`, ""},
		{"dials", "jobs/x.go", `import "net/http"; var c = http.Client{}`, "http.Client"},
		{"dials", "app/web/x.go", `import "net"; var f = net.Dial`, "net.Dial"},
		{"dials", "app/outbound/x.go", `import "net"; var f = net.Dial`, ""},
		{"dials", "app/web/x.go", `import "net/http"; var s http.Server`, ""},
		{"sql", "app/channels/messaging/x.go", "const q = `\n\tselect id from messages`", "belongs in db/queries"},
		{"sql", "app/web/x.go", `const q = "UPDATE messages SET state = 1"`, "belongs in db/queries"},
		{"sql", "app/web/x.go", `const label = "Select a product from the list"`, ""},
		{"sql", "db/queries/channels/writes/x.go", `const q = "delete from messages"`, ""},
		{"workers", "app/channels/sms/x.go", `import "github.com/riverqueue/river"; type W struct { river.WorkerDefaults[A] }`, "belongs in jobs"},
		{"workers", "jobs/x.go", `import "github.com/riverqueue/river"; type W struct { river.WorkerDefaults[A] }`, ""},
		{"workers", "jobs/x.go", `import "github.com/riverqueue/river"; type W struct { river.WorkerDefaults[A] }; func (W) Work() {` + strings.Repeat("\n", mostOfWorker) + "}", "a worker has at most 40 lines"},
		{"workers", "jobs/x.go", `import "github.com/riverqueue/river"; func f(*river.Job[A]) {` + strings.Repeat("\n", mostOfWorker) + "}", "a worker has at most 40 lines"},
		{"positions", "db/queries/x.go", `import "github.com/jackc/pgx/v5"; var f = pgx.RowToStructByPos[int]`, "by name"},
		{"positions", "db/queries/x.go", `import "github.com/jackc/pgx/v5"; var f = pgx.RowToStructByName[int]`, ""},
		{"channels", "app/web/api/op.go", `import "heliograph/app/channels/messaging"`, "a file named messaging"},
		{"channels", "app/web/api/messaging_x.go", `import "heliograph/app/channels/messaging"`, ""},
		{"channels", "app/web/api/sms_x.go", `import "heliograph/app/channels/messaging"`, "a file named messaging"},
		{"channels", "app/web/api/op.go", "const headline = `Invalid parameter`", "the words of a channel"},
		{"channels", "jobs/x.go", `import "heliograph/app/channels"; var all = channels.Declared()`, "channels are passed in"},
		{"channels", "app/x.go", `import "heliograph/app/channels"; var all = channels.Declared()`, ""},
		{"channels", "app/web/api/messaging.go", "const headline = `Invalid parameter`", ""},
		{"river", "db/queries/channels/x.go", `import "heliograph/db/queries/parts"; const q = parts.Jobs`, "errands"},
		{"river", "app/channels/sms/x.go", `import "heliograph/db/queries/parts"; const q = parts.InsertMessageJobs`, "MessageInsertMany"},
		{"river", "db/queries/errands/x.go", `import "heliograph/db/queries/parts"; const q = parts.Jobs`, ""},
		{"river", "db/queries/errands/x.go", "const q = `delete from river.river_job`", "river.go"},
		{"river", "app/operation/queue/x.go", `import "heliograph/db"; const q = db.RiverSchema + ".x"`, "river.go"},
		{"river", "jobs/x.go", `import "heliograph/db"; const q = db.RiverSchema`, ""},
		{"river", "db/queries/parts/river.go", "const q = `delete from river.river_job`", ""},
		{"unused", "app/x/x.go", "func F() {}", "no other package uses app/x.F"},
		{"docs", "app/documentation/openapi/x.go", "func F() {}", "F has no doc comment"},
		{"docs", "app/documentation/openapi/x.go", "type t int; const C = 1", "C has no doc comment"},
		{"docs", "app/documentation/openapi/x.go", "// T is.\ntype T int; func (T) M() {}", "M has no doc comment"},
		{"docs", "app/documentation/openapi/x.go", "", "the package has no doc comment"},
		{"docs", "app/documentation/openapi/x.go", "// The numbers.\nconst (A = 1; B = 2)\nfunc (t hidden) M() {}", "the package has no"},
		{"names", "app/util/x.go", "", "util"},
		{"rules", "app/people/x/x.go", `import "heliograph/db"; type Desk struct{ DB db.Beginner }`, "Desk holds a database"},
		{"rules", "app/people/x/x.go", `import "heliograph/db"; type Desk struct{ DB db.Beginner; Keys []byte }`, ""},
		{"rules", "app/web/x.go", `import "heliograph/db"; type Desk struct{ DB db.Beginner }`, ""},
		{"nouns", "views/people/stray/x.go", "", "no folder app/web/people/stray"},
		{"map", "app/doc.go", ``, "the line of app/people must end with"},
		{"map", "app/main.go", ``, ""},
		{"top level", "lib/x.go", "", "lib"},
	}
	found := map[string]bool{}
	for _, c := range cases {
		findings := violations(t, c.rule, c.path, c.source)
		if c.want == "" && findings != "" {
			t.Errorf("%s finds fault with %s: %q\n%s", c.rule, c.path, c.source, findings)
		}
		if !strings.Contains(findings, c.want) {
			t.Errorf("%s does not find %q in %s: %q; it finds %q", c.rule, c.want, c.path, c.source, findings)
		}
		found[c.rule] = found[c.rule] || c.want != ""
	}
	for name := range archRules {
		if !found[name] {
			t.Errorf("the rule %q has no violating example here", name)
		}
	}
}

// violations returns what a rule finds in a tree of one file.
func violations(t *testing.T, rule, name, source string) string {
	t.Helper()
	switch {
	case path.Ext(name) != ".go":
		source += "\n"
	case strings.HasPrefix(source, "// Code generated"):
		source += "package x\n"
	default:
		source = "package x\n" + source
	}
	tr := readTree(t, fstest.MapFS{name: {Data: []byte(source)}})
	return strings.Join(archRules[rule](tr), "\n")
}
