package insight

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"heliograph/app/documentation/published"
	rule "heliograph/app/operation/insight"
	"heliograph/app/web/listing"
	queries "heliograph/db/queries/operation"
	"heliograph/views/ui"
)

// step returns the index of the step that a date is in, or -1.
func (r *report) step(year, month, day int) int {
	return r.span.Step(time.Date(year, time.Month(month), day, 12, 0, 0, 0, r.h.Zone))
}

func (r *report) partners() error {
	if r.seesPartners() {
		for _, build := range []func() error{r.funnel, r.messages, r.failures} {
			if err := build(); err != nil {
				return err
			}
		}
	}
	return r.calls()
}

// funnel counts the steps of the organisations that registered in the period.
func (r *report) funnel() error {
	ctx := r.c.Request().Context()
	now, err := queries.InsightStepsGet(ctx, r.h.DB, r.span.From, r.span.Until)
	if err != nil {
		return err
	}
	before, err := queries.InsightStepsGet(ctx, r.h.DB, r.span.Before, r.span.From)
	if err != nil {
		return err
	}
	g := grid{
		id: "funnel", title: "From registration to the first callback",
		note:    "Organisations that registered in this period, and the steps that they have taken until now. Half of them took less than the time from the step before.",
		columns: []column{{label: "Step"}, {"Organisations", true}, {"Of all", true}, {label: "Half took less than"}, {"Before", true}},
	}
	for _, s := range []struct {
		label       string
		now, before int64
		median      *float64
	}{
		{"Registered", now.Registered, before.Registered, nil}, {"Verified their number", now.Verified, before.Verified, now.VerifiedSeconds}, {"Made a key", now.Key, before.Key, now.KeySeconds},
		{"Sent a message", now.Message, before.Message, now.MessageSeconds}, {"Received a callback", now.Callback, before.Callback, now.CallbackSeconds},
	} {
		share := ""
		if now.Registered > 0 {
			share = number(rule.Share(s.now, now.Registered)) + " %"
		}
		g.rows = append(g.rows, []value{linked(s.label, "/admin/organisations"), counted(s.now), {text: cmp.Or(share, "–")}, text(span(s.median)), counted(s.before)})
	}
	r.grids = append(r.grids, g)
	return nil
}

// span writes seconds in their largest unit.
func span(seconds *float64) string {
	if seconds == nil {
		return "–"
	}
	d := time.Duration(max(0, *seconds) * float64(time.Second))
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "days"}, {time.Hour, "hours"}, {time.Minute, "minutes"}} {
		if n := int64(d / unit.size); n >= 2 {
			return number(n) + " " + unit.name
		}
	}
	return number(int64(d/time.Second)) + " seconds"
}

// messages sums up how messages ended.
func (r *report) messages() error {
	rows, err := queries.InsightMessagesList(r.c.Request().Context(), r.h.DB, r.filter)
	if err != nil {
		return err
	}
	g := grid{
		id: "messages", title: "Messages, by channel",
		note:    "Counted a quarter of an hour after they were accepted at the latest, by days of UTC.",
		empty:   "No message was accepted in this period.",
		columns: []column{{label: "Channel"}, {"Accepted", true}, {"Delivered", true}, {"Failed", true}, {"Under way or unknown", true}},
	}
	for _, m := range rows {
		g.rows = append(g.rows, []value{linked(ui.LabelOf(listing.Channels, m.Channel), "/admin/messages?channel="+m.Channel), counted(m.Messages), counted(m.Delivered), counted(m.Failed), counted(m.Messages - m.Delivered - m.Failed)})
	}
	r.grids = append(r.grids, g)
	return nil
}

// failures counts why messages failed.
func (r *report) failures() error {
	rows, err := rule.Days(r.c.Request().Context(), r.h.DB, rule.Failures, r.filter, queries.InsightGroup{Name: true, Detail: true}, r.limit(rowsShown))
	if err != nil {
		return err
	}
	g := grid{
		id: "failures", title: "Failures, by channel and code", empty: "No message failed in this period.",
		columns: []column{{label: "Channel"}, {label: "Code"}, {"Messages", true}, {"Before", true}},
	}
	for _, d := range rows {
		g.rows = append(g.rows, []value{text(ui.LabelOf(listing.Channels, d.Name)), text(cmp.Or(d.Detail, "None")), counted(d.Count), counted(d.EarlierCount)})
	}
	r.grids = append(r.grids, g)
	return nil
}

// used is an endpoint with what partners call and readers read.
type used struct {
	product, slug, name, href string
	calls, refused, reads     int64
}

// calls sets the operations that partners call beside the endpoints that people read.
func (r *report) calls() error {
	ctx := r.c.Request().Context()
	filter := r.filter
	filter.Products = nil // calls are counted by operation
	rows, err := rule.Days(ctx, r.h.DB, rule.Calls, filter, queries.InsightGroup{Name: true, Detail: true}, 10_000)
	if err != nil {
		return err
	}
	endpoints, byOperation := r.endpoints()
	for _, d := range rows {
		_, operation, _ := strings.Cut(d.Name, "/")
		if u := byOperation[operation]; u != nil {
			u.calls += d.Count
			if d.Detail != "succeeded" {
				u.refused += d.Count
			}
		}
	}
	reads := r.filter
	reads.Kinds, reads.Readers = []string{"endpoint"}, []string{string(rule.Person)}
	views, err := queries.InsightPageList(ctx, r.h.DB, reads, 10_000)
	if err != nil {
		return err
	}
	for _, v := range views {
		if u := endpoints[v.Product+"/"+v.Page[strings.LastIndexByte(v.Page, '/')+1:]]; u != nil {
			u.reads += v.Count
		}
	}
	g := grid{
		id: "calls", title: "What partners call and what people read",
		note:    "Calls that were refused or failed are part of all calls. People read the endpoint in any version.",
		empty:   "No endpoint was called or read in this period.",
		columns: []column{{label: "Endpoint"}, {label: "Product"}, {"Calls", true}, {"Not successful", true}, {"Read by people", true}},
	}
	list := make([]*used, 0, len(endpoints))
	for _, u := range endpoints {
		if u.calls+u.reads > 0 {
			list = append(list, u)
		}
	}
	slices.SortFunc(list, func(a, b *used) int {
		return cmp.Or(cmp.Compare(b.calls, a.calls), cmp.Compare(b.reads, a.reads), cmp.Compare(a.href, b.href))
	})
	for _, u := range list[:min(len(list), r.limit(pagesShown))] {
		asked := r.asked
		asked.Of, asked.Reader = u.href, ""
		g.rows = append(g.rows, []value{linked(u.name, u.href), text(u.product), counted(u.calls), counted(u.refused), {n: u.reads, href: r.address("pages", asked)}})
	}
	r.grids = append(r.grids, g)
	return nil
}

// endpoints returns the published endpoints of the newest version of each product that
// the report is about, by product and slug, and by operation.
func (r *report) endpoints() (bySlug, byOperation map[string]*used) {
	bySlug, byOperation = map[string]*used{}, map[string]*used{}
	for _, p := range r.h.Documentation.Snapshot().Products {
		if r.filter.Products != nil && !slices.Contains(r.filter.Products, p.Slug) {
			continue
		}
		for _, v := range p.Versions {
			for _, op := range v.Endpoints() {
				r.endpoint(p, v, op, bySlug, byOperation)
			}
		}
	}
	return bySlug, byOperation
}

func (r *report) endpoint(p *published.Product, v *published.Version, op *published.Operation, bySlug, byOperation map[string]*used) {
	key := p.Slug + "/" + op.Slug
	if bySlug[key] != nil {
		return // a newer version has it
	}
	u := &used{product: p.Name, slug: op.Slug, name: op.Name, href: "/docs/" + p.Slug + "/" + v.Slug + "/" + op.Slug}
	bySlug[key] = u
	if byOperation[op.ID] == nil && v.Served(op) {
		byOperation[op.ID] = u
	}
}
