package compare

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
)

// Documents compares an older document with a newer one, as [spec.Assemble]
// makes them.
func Documents(before, after *openapi.Assembly) *Report {
	return newReporter(before, after).compare(before, after)
}

func newReporter(before, after *openapi.Assembly) *reporter {
	b, a := graph.New(before.Root), graph.New(after.Root)
	return &reporter{
		before: b, after: a, report: &Report{Operations: []Operation{}, General: []Change{}},
		differ: &differ{before: newFlattener(b), after: newFlattener(a), nodes: map[pairKey]*node{}},
		told:   map[string]bool{},
	}
}

func (r *reporter) compare(before, after *openapi.Assembly) *Report {
	for _, c := range pair(subjects(before), subjects(after)) {
		r.operation(c)
	}
	r.general()
	r.report.Incomplete = r.differ.incomplete || r.differ.before.merges > maxMerges || r.differ.after.merges > maxMerges
	return r.report
}

// reporter collects a report.
type reporter struct {
	before, after *graph.Graph
	differ        *differ
	report        *Report
	told          map[string]bool // named schemas with a change that an operation tells
	used          map[graph.Schema]bool
	same          *same // where operations that do not differ are left out
}

func (r *reporter) operation(c couple) {
	if r.same != nil && r.same.holds(c) {
		return
	}
	op := Operation{Class: Unchanged, Changes: []Change{}}
	w := &walker{differ: r.differ, op: &op}
	switch {
	case c.before == nil:
		op.Class, op.Callback, op.After = Added, c.after.callback, c.after.view()
		w.add(operationKind(c.after, "added"), "", request, delta{"", call(c.after)})
		w.finish(c.after.key())
		op.Class = Added
	case c.after == nil:
		op.Class, op.Callback, op.Before = Removed, c.before.callback, c.before.view()
		w.add(operationKind(c.before, "removed"), "", request, delta{call(c.before), ""})
		w.finish(c.before.key())
		op.Class = Removed
	default:
		op.Callback, op.Before, op.After = c.after.callback, c.before.view(), c.after.view()
		p := &operations{walker: w, callback: c.after.callback,
			before: r.before.Operation(c.before.Method, c.before.Route, c.before.Node),
			after:  r.after.Operation(c.after.Method, c.after.Route, c.after.Node)}
		p.head(c)
		p.compare()
		if len(op.Changes) == 0 && !sameTree(c.before.Node, c.after.Node) {
			w.add("detail-changed", "", request, delta{"", ""})
		}
		w.finish(c.after.key())
	}
	for i := range op.Changes {
		r.told[op.Changes[i].Schema] = true
	}
	r.add(op)
}

func (r *reporter) add(op Operation) {
	r.report.Operations = append(r.report.Operations, op)
	r.report.Endpoints.add(op.Class, 1)
	for class, n := range map[Class]int{Added: op.Fields.Added, Removed: op.Fields.Removed, Changed: op.Fields.Changed, Unchanged: op.Fields.Unchanged} {
		r.report.Fields.add(class, n)
	}
	for _, level := range Levels {
		r.report.Levels.add(level, op.Levels.Of(level))
	}
}

func operationKind(s *subject, what string) string {
	if s.callback {
		return "callback-" + what
	}
	return "endpoint-" + what
}

func call(s *subject) string { return s.Method + " " + s.Path }

// operations compares an operation of both versions.
type operations struct {
	*walker
	before, after graph.Operation
	callback      bool
}

// sent and received are the directions of what the reader's program sends and
// receives. The one of a callback is the other of an endpoint.
func (p *operations) sent() direction {
	if p.callback {
		return response
	}
	return request
}

func (p *operations) received() direction { return p.sent().reverse() }

// head compares method, path, id and texts.
func (p *operations) head(c couple) {
	b, a := c.before, c.after
	if b.Method != a.Method || b.names()[1] != a.names()[1] || release.FindString(b.Path) != release.FindString(a.Path) {
		p.add("path-changed", "", request, delta{call(b), call(a)})
	} else if b.Path != a.Path {
		p.add("detail-changed", "", request, delta{b.Path, a.Path})
	}
	if b.ID != a.ID {
		p.add("operation-id-changed", "", request, delta{b.ID, a.ID})
	}
	if b.Category != a.Category {
		p.add("category-changed", "", request, delta{b.Category, a.Category})
	}
	p.text("", b.Name, a.Name)
	p.text("", b.Purpose, a.Purpose)
	p.text("", p.before.ExternalDocs(), p.after.ExternalDocs())
	p.deprecation("", p.before.Object, p.after.Object)
}

func (p *operations) text(place, before, after string) {
	if before != after {
		p.add("prose-changed", place, request, delta{before, after})
	}
}

func (p *operations) deprecation(place string, before, after graph.Object) {
	switch {
	case before.Deprecated() == after.Deprecated():
	case after.Deprecated():
		p.add("deprecated", place, request, delta{"no", "yes"})
	default:
		p.add("undeprecated", place, request, delta{"yes", "no"})
	}
}

func (p *operations) compare() {
	p.servers()
	p.security()
	p.parameters()
	p.body()
	p.responses()
	p.callbacks()
}

// servers compares the addresses that the operation has of its own.
func (p *operations) servers() {
	if len(p.before.Node().List("servers"))+len(p.after.Node().List("servers")) == 0 {
		return
	}
	compareServers(p.before.Servers(), p.after.Servers(), func(kind, before, after string) { p.add(kind, "", request, delta{before, after}) })
}

func compareServers(before, after []graph.Server, add func(kind, before, after string)) {
	find := func(list []graph.Server, url string) bool {
		return slices.ContainsFunc(list, func(s graph.Server) bool { return s.URL() == url })
	}
	for _, s := range after {
		if !find(before, s.URL()) {
			add("server-added", "", s.URL())
		}
	}
	for _, s := range before {
		if !find(after, s.URL()) {
			add("server-removed", s.URL(), "")
		}
	}
}

// callbacks compares what the operation has sent back. Each is an operation of
// its own in the document, with the directions turned around.
func (p *operations) callbacks() {
	before, after := calledBack(p.before), calledBack(p.after)
	for old, now := range matched(before, after, nameOf) {
		switch {
		case old < 0:
			p.add("callback-added", "", request, delta{"", after[now].Name})
		case now < 0:
			p.add("callback-removed", "", request, delta{before[old].Name, ""})
		default:
			outer, b, a := p.prefix, before[old].Value, after[now].Value
			p.prefix += "callback-" + naming.Slug(after[now].Name) + "."
			inner := &operations{walker: p.walker, callback: !p.callback, before: b, after: a}
			inner.text("", b.Description(), a.Description())
			inner.text("", b.Summary(), a.Summary())
			if b.Route != a.Route {
				p.add("detail-changed", "", request, delta{b.Route, a.Route})
			}
			inner.compare()
			p.prefix = outer
		}
	}
}

// calledBack lists the callbacks of an operation with the names of their keys and methods.
func calledBack(o graph.Operation) (all []graph.Named[graph.Operation]) {
	for _, c := range o.Callbacks() {
		for _, op := range c.Value {
			all = append(all, graph.Named[graph.Operation]{Name: c.Name + " " + op.Method, Value: op})
		}
	}
	return all
}

// general compares what belongs to no operation: text and servers of the
// document, and named schemas with a change that no operation tells.
func (r *reporter) general() {
	w := &walker{differ: r.differ, op: &Operation{}}
	p := &operations{walker: w}
	p.text("", r.before.Info().Description(), r.after.Info().Description())
	p.text("", r.before.Info().Title(), r.after.Info().Title())
	compareServers(r.before.Servers(), r.after.Servers(), func(kind, before, after string) { p.add(kind, "", request, delta{before, after}) })
	r.tags(w)
	r.schemas(w)
	w.finish("")
	r.report.General = append(r.report.General, w.op.Changes...)
	for _, c := range r.report.General {
		r.report.Levels.add(c.Level, 1)
	}
}

// schemas tells changes of named schemas that no operation tells: texts that
// others replace, and schemas that no operation uses.
func (r *reporter) schemas(w *walker) {
	add := func(s graph.Schema, gone bool) {
		kind := "unused-schema-changed"
		if r.isUsed(s) {
			kind = "schema-changed"
		}
		c := w.change(kind, "", request)
		if c.Schema = s.Name(); gone {
			c.Before = s.Name()
		}
		w.op.Changes = append(w.op.Changes, c)
	}
	for _, s := range r.after.Schemas() {
		was := r.before.Schema(s.Name())
		if !r.told[s.Name()] && (!was.Exists() || !sameTree(was.Node(), s.Node())) {
			add(s, false)
		}
	}
	for _, s := range r.before.Schemas() {
		if !r.after.Schema(s.Name()).Exists() {
			add(s, true)
		}
	}
}

// isUsed reports whether an operation of either version uses a schema.
func (r *reporter) isUsed(s graph.Schema) bool {
	if r.same != nil && r.same.isAlone(s.Name()) {
		return false
	}
	if r.used == nil {
		r.used = map[graph.Schema]bool{}
		for _, g := range []*graph.Graph{r.before, r.after} {
			for _, op := range append(g.Operations(), g.Webhooks()...) {
				for used := range op.Schemas() {
					r.used[used] = true
				}
			}
		}
	}
	return r.used[s]
}

func (r *reporter) tags(w *walker) {
	before, after := r.before.Tags(), r.after.Tags()
	for old, now := range matched(before, after, graph.Tag.Name) {
		var was, is string
		if old >= 0 {
			was = before[old].Description()
		}
		if now >= 0 {
			is = after[now].Description()
		}
		if was != is && (now >= 0 || strings.TrimSpace(was) != "") {
			w.add("prose-changed", "", request, delta{was, is})
		}
	}
}

// sameTree reports whether two values are the same, in any order of keys.
func sameTree(a, b *tree.Node) bool {
	if a == nil || b == nil || a.Kind != b.Kind || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return a == b
	}
	for i := range a.Items {
		if !sameTree(a.Items[i], b.Items[i]) {
			return false
		}
	}
	for i, m := range a.Members {
		other := b.Members[i].Value
		if b.Members[i].Key != m.Key {
			other = b.Get(m.Key)
		}
		if !sameTree(m.Value, other) {
			return false
		}
	}
	return a.Text == b.Text
}
