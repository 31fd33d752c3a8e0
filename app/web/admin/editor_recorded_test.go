package admin_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/web/webtest"
)

// steps are changes of documentation by the name of their route. Each returns the
// answer to it. The guide is in a change set of Ada, which Sue did not write.
var steps = map[string]func(p *press, set string) *webtest.Answer{
	"admin.products.new": func(p *press, _ string) *webtest.Answer {
		return p.sue.Post("/admin/products", url.Values{"name": {"Voice"}})
	},
	"admin.products.revert": func(p *press, _ string) *webtest.Answer {
		p.publish(p.endpoint, "name", "Post a letter")
		return p.sue.Post(p.sue.Get(p.product+"/releases").Find("a[href$=revert]").First().AttrOr("href", ""), nil)
	},
	"admin.items.new": func(p *press, _ string) *webtest.Answer {
		return p.ada.Post(p.product+"/new", url.Values{"kind": {"guide"}, "parent": {p.id("product", "letters")}, "title": {"More"}})
	},
	"admin.items.save": func(p *press, _ string) *webtest.Answer { return p.save(p.ada, p.guide, "text", "Other.") },
	"admin.items.autosave": func(p *press, _ string) *webtest.Answer {
		return p.ada.Post(p.endpoint+"/autosave", p.filled(p.ada.Get(p.endpoint), "name", "Post a letter"))
	},
	"admin.items.outline": func(p *press, _ string) *webtest.Answer {
		return p.ada.Post(p.endpoint+"/outline", p.filled(p.ada.Get(p.endpoint), "do", "response:/responses"))
	},
	"admin.items.move": func(p *press, _ string) *webtest.Answer {
		return p.ada.Post(p.endpoint+"/move", url.Values{"slug": {"post-letter"}})
	},
	"admin.items.order": func(p *press, _ string) *webtest.Answer {
		p.addStamps()
		return p.ada.Post(p.page("guide", "stamps")+"/order", url.Values{"to": {"up"}})
	},
	"admin.items.place": func(p *press, _ string) *webtest.Answer {
		p.addStamps()
		return p.ada.Post(p.page("guide", "stamps")+"/place", url.Values{"group": {"Start"}, "number": {"1"}})
	},
	"admin.products.order": func(p *press, _ string) *webtest.Answer {
		p.addStamps()
		return p.ada.Post(p.product+"/order", url.Values{"moved": {p.id("guide", "stamps")}, "group": {"Start"}, "before": {p.id("guide", "begin")}, "seen": {p.id("guide", "begin")}})
	},
	"admin.items.undo": func(p *press, _ string) *webtest.Answer {
		p.ok(p.ada, p.save(p.ada, p.guide, "text", "Other."))
		return p.ada.Post(p.guide+"/undo", nil)
	},
	"admin.items.previews.new": func(p *press, _ string) *webtest.Answer {
		return p.ada.Post(p.guide+"/previews", url.Values{"days": {"7"}})
	},
	"admin.items.previews.revocation": func(p *press, _ string) *webtest.Answer {
		p.preview(p.guide, "0")
		return p.ada.Post(p.revocation(), nil)
	},
	"admin.items.archive": func(p *press, _ string) *webtest.Answer { return p.ada.Post(p.endpoint+"/archive", nil) },
	"admin.items.trash": func(p *press, _ string) *webtest.Answer {
		p.remove()
		return p.ada.Post(p.page("guide", "unseen")+"/trash", nil)
	},
	"admin.items.untrash": func(p *press, _ string) *webtest.Answer {
		p.remove()
		p.ok(p.ada, p.ada.Post(p.page("guide", "unseen")+"/trash", nil))
		return p.ada.Post(p.page("guide", "unseen")+"/untrash", nil)
	},
	"admin.items.restore": func(p *press, _ string) *webtest.Answer {
		p.publish(p.endpoint, "name", "Post a letter")
		path := p.endpoint + "/history/1/restore"
		return p.sue.Post(path, url.Values{"base": {p.sue.Get(path).Find("input[name=base]").AttrOr("value", "")}})
	},
	"admin.drafts.threads.new": func(p *press, set string) *webtest.Answer {
		return p.ben.Post(set+"/items/"+p.id("guide", "begin")+"/threads/new", url.Values{"text": {"Why?"}})
	},
	"admin.drafts.threads.reply": func(p *press, set string) *webtest.Answer {
		p.thread(set, "guide", "begin", "", "Why?")
		return p.ada.Post(p.lastThread(set), url.Values{"text": {"It is shorter."}})
	},
	"admin.drafts.removal": func(p *press, set string) *webtest.Answer {
		return p.ada.Post(set+"/items/"+p.id("guide", "begin")+"/removal", nil)
	},
	"admin.drafts.submit": func(p *press, set string) *webtest.Answer { return p.submit(set) },
	"admin.drafts.comment": func(p *press, set string) *webtest.Answer {
		return p.ben.Post(set+"/comment", url.Values{"reason": {"Good."}})
	},
	"admin.drafts.request-changes": func(p *press, set string) *webtest.Answer {
		p.submit(set)
		return p.ben.Post(set+"/request-changes", url.Values{"reason": {"Say more."}})
	},
	"admin.drafts.approve": func(p *press, set string) *webtest.Answer {
		p.submit(set)
		return p.approve(set)
	},
	"admin.drafts.reject": func(p *press, set string) *webtest.Answer {
		p.submit(set)
		return p.ben.Post(set+"/reject", url.Values{"reason": {"No."}})
	},
	"admin.drafts.withdraw": func(p *press, set string) *webtest.Answer {
		p.submit(set)
		return p.ada.Post(set+"/withdraw", nil)
	},
	"admin.drafts.discard": func(p *press, set string) *webtest.Answer { return p.ada.Post(set+"/discard", nil) },
	"admin.drafts.publish": func(p *press, set string) *webtest.Answer {
		p.submit(set)
		p.approve(set)
		return p.ada.Post(set+"/publish", nil)
	},
	"admin.drafts.override": func(p *press, set string) *webtest.Answer {
		return p.sue.Post(set+"/override", url.Values{"reason": {"Urgent."}})
	},
	"admin.drafts.schedule": func(p *press, set string) *webtest.Answer { return p.schedule(set, time.Now().Add(48*time.Hour)) },
	"admin.drafts.cancel": func(p *press, set string) *webtest.Answer {
		p.schedule(set, time.Now().Add(48*time.Hour))
		return p.ada.Post(set+"/cancel", nil)
	},
	"admin.drafts.accept": func(p *press, set string) *webtest.Answer {
		return p.accept(p.breaks())
	},
	"admin.products.checks": func(p *press, _ string) *webtest.Answer {
		return p.sue.Post(p.product+"/checks", levels("terms", "block"))
	},
	"admin.drafts.rebase": func(p *press, set string) *webtest.Answer {
		p.publishBehind("Theirs.", "Their summary.")
		return p.ada.Post(set+"/rebase", url.Values{"take." + p.id("guide", "begin") + ".text": {"mine"}})
	},
	"admin.drafts.resume": func(p *press, set string) *webtest.Answer {
		p.submit(set)
		p.ok(p.ben, p.ben.Post(set+"/reject", url.Values{"reason": {"Not now."}}))
		return p.ben.Post(set+"/resume", nil)
	},
	"admin.drafts.split": func(p *press, set string) *webtest.Answer {
		p.ok(p.ada, p.save(p.ada, p.endpoint, "name", "Post a letter"))
		return p.ada.Post(set+"/split", url.Values{"item": {p.id("guide", "begin")}})
	},
}

// addStamps adds a second guide after the first.
func (p *press) addStamps() {
	p.ok(p.ada, p.ada.Post(p.product+"/new", url.Values{"kind": {"guide"}, "parent": {p.id("product", "letters")}, "title": {"Stamps"}, "group": {"Start"}, "order": {"7"}}))
}

func (p *press) submit(set string) *webtest.Answer {
	return p.ada.Post(set+"/submit", url.Values{"summary": {"A change"}})
}

func (p *press) approve(set string) *webtest.Answer {
	return p.ben.Post(set+"/approve", url.Values{"hash": {p.ben.Get(set).Find("input[name=hash]").AttrOr("value", "")}})
}

func (p *press) schedule(set string, at time.Time) *webtest.Answer {
	p.submit(set)
	p.approve(set)
	return p.ada.Post(set+"/schedule", url.Values{"scheduled_for": {at.UTC().Format("2006-01-02T15:04")}})
}

// remove adds a guide that is in no change set.
func (p *press) remove() {
	exec(p.T, p.Site, `insert into items (kind, parent_id, slug) select 'guide', id, 'unseen' from items where kind = 'product'`)
}

// Every step of editing is in the audit, by who made it. The table is read from
// the router, so that a new route must be added above.
func TestEveryStepOfEditingIsRecorded(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Ada's text."))
	set := p.set()
	for _, route := range p.Server.Routes() {
		if route.Method == "GET" || !documentation(route.Name) || strings.HasSuffix(route.Name, ".preview") || route.Name == "admin.items.checks" || route.Name == "admin.items.new.outline" {
			continue
		}
		step := steps[route.Name]
		if step == nil {
			t.Errorf("%s: say above how to make this change", route.Name)
			continue
		}
		exec(t, p.Site, "savepoint tried")
		before := p.text(`select max(seq)::text from audit_entries`)
		a := step(p, set)
		actors := p.text(`select count(*)::text from audit_entries where actor like 'admin:%' and seq > ` + before)
		exec(t, p.Site, "rollback to savepoint tried")
		if a.Status != 303 && route.Name != "admin.items.outline" || actors == "0" {
			t.Errorf("%s gives %d with %s entries: %s", route.Name, a.Status, actors, a.Find("main").Text())
		}
	}
}

// levels are the levels of the checks as a form sends them, with changes.
func levels(change ...string) url.Values {
	values := url.Values{}
	for _, c := range checks.All {
		values.Set(c.Name, string(c.Level))
	}
	for i := 0; i < len(change); i += 2 {
		values.Set(change[i], change[i+1])
	}
	return values
}
