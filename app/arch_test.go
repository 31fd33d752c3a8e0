package main

import (
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
	"imports":      checkImports,
	"libraries":    checkLibraries,
	"dials":        checkDials,
	"sql":          checkSQL,
	"workers":      checkWorkers,
	"river":        checkRiver,
	"channels":     checkChannels,
	"positions":    checkPositions,
	"reads":        checkReads,
	"files":        checkFiles,
	"functions":    checkFunctions,
	"distribution": checkDistribution,
	"exported":     checkExported,
	"unused":       checkUnused,
	"templates":    checkTemplates,
	"docs":         checkDocs,
	"names":        checkNames,
	"top level":    checkTop,
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

// Packages with rules about what happens; they may use each other.
var rulePackages = []string{
	"app/audit", "app/blocklist", "app/card", "app/catalogue", "app/channels", "app/compare", "app/contact", "app/delivery", "app/editorial", "app/feedback", "app/hlr", "app/identity", "app/input", "app/insight", "app/limit", "app/mcp",
	"app/media", "app/messaging", "app/metric", "app/mock", "app/notification", "app/otp", "app/phone", "app/queue", "app/rcs", "app/reference", "app/relay", "app/retention", "app/search", "app/setting", "app/sms", "app/spec", "app/spec/model", "app/spec/postman", "app/spec/sample",
	"app/theme", "app/trace",
}

// What a package may import of ours; the longest prefix decides. A folder
// stands for itself and everything below, app for package main alone.
var mayImport = func() map[string][]string {
	table := map[string][]string{
		"app":        nil, // main wires everything: not checked
		"app/config": {"app/keyring"}, "app/content": {}, "app/fault": {}, "app/keyring": {},
		"app/outbound": {"app/config", "app/fault", "app/metric", "app/trace", "db/models"},
		"app/web":      append([]string{"app/web", "app/config", "app/fault", "app/keyring", "views", "db", "db/models", "db/queries", "jobs/args", "static"}, rulePackages...),
		"db":           {"app/fault"},
		"db/dbtest":    {"db", "db/dev"},
		"db/dev":       {}, "db/models": {}, "db/seed": {},
		"db/queries": {"db", "db/models"},
		"jobs":       append([]string{"app/outbound", "app/keyring", "app/fault", "db", "db/queries", "db/models", "storage", "jobs/args"}, rulePackages...),
		"jobs/args":  {}, "static": {},
		"storage": {"storage", "app/fault"},
		"views":   {"views", "static"},
	}
	for _, rule := range rulePackages {
		table[rule] = append([]string{"app/content", "app/fault", "app/keyring", "db", "db/queries", "db/models", "jobs/args", "storage"}, rulePackages...)
	}
	// Emails are written when they are queued, in the transaction of their cause.
	table["views/email"] = nil
	for _, sender := range []string{"app/contact", "app/editorial", "app/identity", "app/notification", "app/rcs", "app/relay"} {
		table[sender] = append(table[sender], "views/email")
	}
	table["app/editorial"] = append(table["app/editorial"], "app/spec/validate", "db/seed") // examples and the glossary
	// Documentation is read here; what writes it is app/editorial.
	table["app/web"] = append(table["app/web"], "app/web/portal", "app/content")
	table["app/web/portal"] = append([]string{}, table["app/web"]...)
	for _, reader := range []string{"app/catalogue", "app/search", "app/web/portal"} {
		table[reader] = slices.DeleteFunc(table[reader], func(home string) bool { return home == "app/editorial" })
	}
	table["app/card"] = []string{"app/fault", "storage"}
	table["app/compare"] = []string{"app/spec"}                                                                                                           // pure: documents in, differences out
	table["app/spec"] = []string{"app/fault", "app/spec"}                                                                                                 // pure, with what lies below: documents in, models out
	table["app/reference"] = []string{"app/catalogue", "app/compare", "app/content", "app/spec", "app/spec/model", "app/spec/postman", "app/spec/sample"} // texts, without Echo
	table["app/spec/model"] = []string{"app/fault", "app/spec"}
	table["app/spec/sample"] = []string{"app/spec", "app/spec/model"}
	table["app/spec/postman"] = []string{"app/spec", "app/spec/model"}
	table["app/spec/corpus"] = []string{"db/seed"}
	table["app/spec/validate"] = []string{"app/fault", "app/spec"}
	table["app/spec/spectest"] = []string{"app/spec"}
	table["app/input"] = nil // pure: JSON of clients
	table["app/trace"] = nil // pure: OpenTelemetry
	table["app/phone"] = nil // pure: numbering plans
	return table
}()

// Packages that exist for tests: nothing that ships may import them.
var testPackages = []string{"db/dbtest", "app/identity/identitytest", "app/outbound/kanneltest", "app/spec/codetest", "app/spec/corpus", "app/spec/spectest", "app/web/webtest", "storage/storagetest", "views/browsertest", "views/viewtest"}

// Libraries with one home.
var libraryHomes = map[string][]string{
	"github.com/labstack/echo":               {"app/web"},
	"github.com/wneessen/go-mail":            {"app/outbound"},
	"github.com/nyaruka/phonenumbers":        {"app/phone"},
	"github.com/alexedwards/argon2id":        {"app/identity"},
	"golang.org/x/crypto/argon2":             {"app/identity"},
	"github.com/a-h/templ":                   {"views", "app/web"},
	"github.com/alecthomas/chroma":           {"views/ui"},
	"golang.org/x/image":                     {"app/card"},
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
	long := func(n int) string { return strings.Repeat("\n", n) }
	cases := []struct{ rule, path, source, want string }{
		{"imports", "app/web/x.go", `import "heliograph/app/outbound"`, "app/web may not import app/outbound"},
		{"imports", "app/web/portal/x.go", `import "heliograph/storage"`, "may not import storage"},
		{"imports", "app/fault/x.go", `import "heliograph/db"`, "app/fault may not import db"},
		{"imports", "db/x.go", `import "heliograph/db/queries"`, "db may not import db/queries"},
		{"imports", "app/catalogue/x.go", `import "heliograph/app/editorial"`, "app/catalogue may not import app/editorial"},
		{"imports", "app/web/portal/x.go", `import "heliograph/app/editorial"`, "app/web/portal may not import app/editorial"},
		{"imports", "app/web/admin/x.go", `import "heliograph/app/editorial"`, ""},
		{"imports", "app/web/portal/x.go", `import "heliograph/app/web/page"`, ""},
		{"imports", "app/content/x.go", `import "heliograph/app/fault"`, "app/content may not import app/fault"},
		{"imports", "app/x.go", `import "heliograph/db/dbtest"`, "is for tests"},
		{"imports", "app/novel/x.go", ``, "has no line in mayImport"},
		{"imports", "jobs/x.go", `import "heliograph/app/messaging"`, ""},
		{"imports", "app/web/x_test.go", `import "heliograph/app/outbound"`, ""},
		{"libraries", "app/messaging/x.go", `import "github.com/labstack/echo/v4"`, "github.com/labstack/echo belongs in app/web"},
		{"libraries", "app/x.go", `import "html/template"`, "html/template has no place here"},
		{"libraries", "app/web/admin/x.go", `import "github.com/labstack/echo/v4"`, ""},
		{"dials", "jobs/x.go", `import "net/http"; var c = http.Client{}`, "http.Client"},
		{"dials", "app/web/x.go", `import "net"; var f = net.Dial`, "net.Dial"},
		{"dials", "app/outbound/x.go", `import "net"; var f = net.Dial`, ""},
		{"dials", "app/web/x.go", `import "net/http"; var s http.Server`, ""},
		{"sql", "app/messaging/x.go", "const q = `\n\tselect id from messages`", "belongs in db/queries"},
		{"sql", "app/web/x.go", `const q = "UPDATE messages SET state = 1"`, "belongs in db/queries"},
		{"sql", "app/web/x.go", `const label = "Select a product from the list"`, ""},
		{"sql", "db/queries/x.go", `const q = "delete from messages"`, ""},
		{"workers", "app/sms/x.go", `import "github.com/riverqueue/river"; type W struct { river.WorkerDefaults[A] }`, "belongs in jobs"},
		{"workers", "jobs/x.go", `import "github.com/riverqueue/river"; type W struct { river.WorkerDefaults[A] }`, ""},
		{"positions", "db/queries/x.go", `import "github.com/jackc/pgx/v5"; var f = pgx.RowToStructByPos[int]`, "by name"},
		{"positions", "db/queries/x.go", `import "github.com/jackc/pgx/v5"; var f = pgx.RowToStructByName[int]`, ""},
		{"channels", "app/web/api/op.go", `import "heliograph/app/messaging"`, "a file named messaging"},
		{"channels", "app/web/api/messaging_x.go", `import "heliograph/app/messaging"`, ""},
		{"channels", "app/web/api/sms_x.go", `import "heliograph/app/messaging"`, "a file named messaging"},
		{"channels", "app/web/api/op.go", "const headline = `Invalid parameter`", "the words of a channel"},
		{"channels", "app/web/api/messaging.go", "const headline = `Invalid parameter`", ""},
		{"river", "db/queries/x.go", "const q = `delete from river.river_job`", "river.go"},
		{"river", "app/queue/x.go", `import "heliograph/db"; const q = db.RiverSchema + ".x"`, "river.go"},
		{"river", "jobs/x.go", `import "heliograph/db"; const q = db.RiverSchema`, ""},
		{"river", "db/queries/river.go", "const q = `delete from river.river_job`", ""},
		{"files", "app/x.go", long(501), "502 lines"},
		{"files", "app/x_test.go", long(501), "502 lines"},
		{"files", "views/x_templ.go", "// Code generated by templ. DO NOT EDIT.\n" + long(600), ""},
		{"functions", "app/x.go", "func f() {" + long(81) + "}", "82 lines"},
		{"functions", "app/x.go", "func f(a, b, c, d, e int) {}", "5 parameters"},
		{"functions", "app/x.go", `import "context"; func f(ctx context.Context, a, b, c, d int) {}`, ""},
		{"exported", "app/x/x.go", "var (" + strings.Repeat("A, ", 70) + "A int)", "exports 71 names"},
		{"exported", "app/x/x.go", "var (A, B int); func (A) C() {}; func d() {}", ""},
		{"unused", "app/x/x.go", "func F() {}", "no other package uses app/x.F"},
		{"distribution", "app/x.go", long(400), "median"},
		{"templates", "views/x.templ", long(121), "122 lines"},
		{"docs", "app/spec/x.go", "func F() {}", "F has no doc comment"},
		{"docs", "app/spec/x.go", "type t int; const C = 1", "C has no doc comment"},
		{"docs", "app/spec/x.go", "// T is.\ntype T int; func (T) M() {}", "M has no doc comment"},
		{"docs", "app/spec/x.go", "", "the package has no doc comment"},
		{"docs", "app/spec/x.go", "// The numbers.\nconst (A = 1; B = 2)\nfunc (t hidden) M() {}", "the package has no"},
		{"names", "app/util/x.go", "", "util"},
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
	found["reads"] = true // TestWebOnlyReads
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

// The web layer may read through db/queries; what writes goes through a rule.
func TestWebOnlyReads(t *testing.T) {
	t.Parallel()
	queries := `package queries
		func MessageGet() { q("select state from messages") }
		func MessageInsert() { q("insert into messages values (1)") }
		func MessageCopy() { conn.CopyFrom() }
		func MessageTake() { MessageInsert() }`
	for name, want := range map[string]bool{"MessageGet": false, "MessageInsert": true, "MessageCopy": true, "MessageTake": true} {
		for _, dir := range []string{"app/web", "app/web/portal"} {
			tr := readTree(t, fstest.MapFS{
				"db/queries/messages.go": {Data: []byte(queries)},
				dir + "/x.go":            {Data: []byte("package x\nimport \"heliograph/db/queries\"\nvar f = queries." + name)},
			})
			if got := len(checkReads(tr)) > 0; got != want {
				t.Errorf("calling queries.%s from %s: found = %v, want %v", name, dir, got, want)
			}
		}
	}
}
