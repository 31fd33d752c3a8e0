package web_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/db/models"
)

// hostileCase is a submission of the contact form and how it must end: "stored",
// "joined", "asked again", "stale", "refused: <fields>" or "status <n>". A value
// after "stored" is what is stored of the field.
type hostileCase struct {
	group, name string
	want        string
	set         func(url.Values) // changes a form that nobody could object to
	first       func(url.Values) // changes a form that the same browser sends before; nil sends none
	send        sender           // nil posts the form
}

// sender sends a form in some way.
type sender func(b *webtest.Client, f url.Values) *webtest.Answer

func post(b *webtest.Client, f url.Values) *webtest.Answer { return b.Post("/contact-us", f) }

// set returns a function that sets fields: name, value, name, value.
func set(pairs ...string) func(url.Values) {
	return func(f url.Values) {
		for i := 0; i < len(pairs); i += 2 {
			f.Set(pairs[i], pairs[i+1])
		}
	}
}

// hostileDesk sends hostile submissions to one site and reads how they ended.
type hostileDesk struct {
	site *webtest.Site
	keys *keyring.Keyring
	n    int
}

// stamp returns the stamp of a form as the program would have signed it.
func (d *hostileDesk) stamp(since, shown time.Duration, work byte, asked bool) string {
	d.n++
	raw := make([]byte, 16, 34)
	binary.BigEndian.PutUint64(raw, uint64(d.n))
	raw = binary.BigEndian.AppendUint64(raw, uint64(time.Now().Add(-since).UnixMilli()))
	raw = binary.BigEndian.AppendUint64(raw, uint64(time.Now().Add(-shown).UnixMilli()))
	raw = append(raw, work, 0)
	if asked {
		raw[33] = 1
	}
	text := base64.RawURLEncoding.EncodeToString(raw)
	return text + "." + d.keys.Sign("contact/stamp", text)
}

// form returns a form of a sender of its own that was opened a minute ago.
func (d *hostileDesk) form() url.Values {
	f := enquiry()
	f.Set("stamp", d.stamp(time.Minute, time.Minute, 0, false))
	f.Set("email", fmt.Sprintf("sender%d@example.com", d.n))
	return f
}

// rows returns the number of enquiries and of their repeats.
func (d *hostileDesk) rows(t *testing.T) (stored, repeats int) {
	t.Helper()
	if err := d.site.DB.QueryRow(t.Context(), `select count(*), coalesce(sum(repeats), 0) from contact_enquiries`).Scan(&stored, &repeats); err != nil {
		t.Fatal(err)
	}
	return stored, repeats
}

// outcome says how a submission ended. shown is the field that has its stored value
// added; empty is none.
func (d *hostileDesk) outcome(t *testing.T, a *webtest.Answer, before, repeats int, shown string) string {
	t.Helper()
	now, again := d.rows(t)
	switch {
	case a.Status == http.StatusSeeOther && now == before+1:
		var status, value string
		column := map[string]string{"": "''", "phones": "array_to_string(phones, ' ')"}[shown]
		if column == "" {
			column = shown
		}
		err := d.site.DB.QueryRow(t.Context(), `select status, `+column+` from contact_enquiries order by created_at desc, id desc limit 1`).Scan(&status, &value)
		if err != nil {
			t.Fatal(err)
		}
		said := "stored"
		if status != models.EnquiryNew {
			said += " as " + status
		}
		if shown != "" {
			said += ": " + value
		}
		return said
	case a.Status == http.StatusSeeOther && again == repeats+1:
		return "joined"
	case now != before:
		return fmt.Sprintf("status %d, and %d stored", a.Status, now-before)
	case a.Status == http.StatusUnprocessableEntity:
		var fields []string
		for _, at := range a.Find("[id^=field-][id$=-error]").EachIter() {
			fields = append(fields, strings.TrimSuffix(strings.TrimPrefix(at.AttrOr("id", ""), "field-"), "-error"))
		}
		text := a.Find("main").Text()
		switch {
		case len(fields) > 0:
			return "refused: " + strings.Join(fields, " ")
		case strings.Contains(text, "once more"):
			return "asked again"
		case strings.Contains(text, "too long, or was sent already"):
			return "stale"
		case strings.Contains(text, "not text"):
			return "not text"
		case strings.Contains(text, "Some fields are invalid"):
			return "not a form"
		}
	}
	return fmt.Sprintf("status %d", a.Status)
}

// Whatever is sent to the contact form, nothing breaks: it is stored as what it
// says, joined to the same enquiry, asked for once more or refused at its field.
func TestHostileEnquiries(t *testing.T) {
	t.Parallel()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	d := &hostileDesk{site: webtest.New(t, nil), keys: keys}
	if _, err := d.site.Settings.SaveContact(t.Context(), setting.ContactChange{KeepDays: "10", KeepSpamDays: "5", Challenge: "off"}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	err = d.site.Settings.SaveEmail(t.Context(), setting.EmailChange{Mode: models.ModeVirtual, Contact: "sales@example.com", Port: "587", TLS: models.TLSStartTLS}, "admin:1")
	if err != nil {
		t.Fatal(err)
	}
	cases := slices.Concat(hostileBots(d), hostileStamps(d), hostileHeaders(), hostileFormulas(), hostileNames(), hostileFields(), hostileBombs())
	if len(cases) < 200 {
		t.Errorf("only %d cases", len(cases))
	}
	var text bytes.Buffer
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for i, c := range cases {
		form := d.form()
		if c.set != nil {
			c.set(form)
		}
		browser := d.site.Client(t)
		browser.Address = fmt.Sprintf("198.51.%d.%d:4000", 100+i/250, i%250+1) // one address each: limits are another test
		browser.Get("/contact-us")
		if c.first != nil {
			before := maps.Clone(form)
			c.first(before)
			if a := post(browser, before); a.Status != http.StatusSeeOther {
				t.Errorf("%s: the form before gives %d", c.name, a.Status)
			}
		}
		before, repeats := d.rows(t)
		send := c.send
		if send == nil {
			send = post
		}
		shown, _, _ := strings.Cut(strings.TrimPrefix(c.want, "stored: "), "=")
		if !strings.HasPrefix(c.want, "stored: ") {
			shown = ""
		}
		want := strings.Replace(c.want, shown+"=", "", 1)
		got := d.outcome(t, send(browser, form), before, repeats, shown)
		if got != want {
			t.Errorf("%s, %s: %s, want %s", c.group, c.name, got, want)
		}
		if len(got) > 60 {
			got = strings.ToValidUTF8(got[:60], "") + "…"
		}
		fmt.Fprintf(table, "%s\t%s\t%q\n", c.group, c.name, got)
	}
	table.Flush()
	t.Logf("%d submissions\n%s", len(cases), text.String())
	d.checkWhatIsShown(t)
}

// checkWhatIsShown opens every page and file of the administration that shows
// what was stored. Pages are checked by the client; a cell of the file that a
// spreadsheet would compute fails the test.
func (d *hostileDesk) checkWhatIsShown(t *testing.T) {
	t.Helper()
	admin := d.site.SignInAdmin(t, identity.SuperAdmin)
	stored, _ := d.rows(t)
	export := admin.Get("/admin/contacts/export")
	rows, err := csv.NewReader(strings.NewReader(export.Body)).ReadAll()
	if err != nil || len(rows) < stored/2 {
		t.Fatalf("the file has %d rows for %d enquiries, %v", len(rows), stored, err)
	}
	for _, row := range rows[1:] {
		for i, cell := range row {
			if first, _ := utf8.DecodeRuneInString(cell); strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
				t.Errorf("column %s starts as a formula: %.40q", rows[0][i], cell)
			}
		}
	}
	var ids []string
	err = d.site.DB.QueryRow(t.Context(), `select array_agg(id::text) from contact_enquiries`).Scan(&ids)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		a := admin.With("Accept", "text/html").Get("/admin/contacts/" + id)
		if a.Status != http.StatusOK || a.Find("main script, main iframe, main img, main [onerror], main [onload]").Length() != 0 {
			t.Errorf("the page of %s gives %d, or runs what was entered", id, a.Status)
		}
		for _, link := range a.Find("main a[href]").EachIter() {
			if href := link.AttrOr("href", ""); !strings.HasPrefix(href, "/") && !strings.HasPrefix(href, "http://") && !strings.HasPrefix(href, "https://") && !strings.HasPrefix(href, "mailto:") && !strings.HasPrefix(href, "tel:") && !strings.HasPrefix(href, "#") {
				t.Errorf("the page of %s links to %q", id, href)
			}
		}
	}
	var subjects []string
	if err := d.site.DB.QueryRow(t.Context(), `select array_agg(subject) from notifications`).Scan(&subjects); err != nil {
		t.Fatal(err)
	}
	for _, subject := range subjects {
		if strings.ContainsAny(subject, "\r\n\x00") {
			t.Errorf("a subject has two lines: %q", subject)
		}
	}
}
