package contact_test

import (
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"heliograph/app/fault"
	"heliograph/app/operation/setting"
	"heliograph/app/people/contact"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// flood sends many forms at once and counts how they ended. Those that the
// database had no time for are sent again, as their senders are asked to.
func flood(t *testing.T, d *desk, forms []contact.Form, address func(n int) string) map[string]int {
	t.Helper()
	ended := map[string]int{}
	waiting := map[int]bool{}
	for n := range forms {
		waiting[n] = true
	}
	for len(waiting) > 0 {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for n := range maps.Clone(waiting) {
			wg.Go(func() {
				r, err := d.contacts.Submit(t.Context(), forms[n], address(n))
				mu.Lock()
				defer mu.Unlock()
				if end := ending(t, r, err); end != "later" {
					ended[end]++
					delete(waiting, n)
				}
			})
		}
		wg.Wait()
		t.Logf("%v, %d are asked to come later", ended, len(waiting))
	}
	return ended
}

// ending is how a submission ended, in a word.
func ending(t *testing.T, r contact.Receipt, err error) string {
	t.Helper()
	f := fault.As(err)
	switch {
	case err == nil && r.Confirm:
		return "unconfirmed"
	case err == nil:
		return "stored"
	case f != nil && f.Code == contact.AskedAgain:
		return "asked"
	case f != nil && f.Kind == fault.Limited:
		return "limited"
	case f != nil && f.Kind == fault.Unavailable:
		return "later" // the database had no time to count
	}
	t.Errorf("a submission ends with %v", err)
	return "failed"
}

// crowd returns forms of many senders that were opened a minute ago.
func (d *desk) crowd(many int) []contact.Form {
	forms := make([]contact.Form, many)
	for n := range forms {
		f := valid()
		f.Email, f.Message = fmt.Sprintf("sender%d@example.com", n), fmt.Sprintf("Enquiry number %d of a crowd.", n)
		forms[n] = d.stamped(f)
	}
	return forms
}

const crowdSize = 1000

// Of a thousand enquiries at once from one address five are stored at most. A
// submission may be counted though its sender is asked to come later.
func TestAThousandAtOnceFromOneAddress(t *testing.T) {
	t.Parallel()
	d := newDeskOn(t, dbtest.Pool(t))
	d.setRecipient(t, "sales@example.com")
	ended := flood(t, d, d.crowd(crowdSize), func(int) string { return "192.0.2.1" })
	if ended["stored"] < 1 || ended["stored"] > 5 || ended["stored"]+ended["limited"] != crowdSize || d.count(t, "contact_enquiries") != ended["stored"] {
		t.Errorf("%d are stored: %v", d.count(t, "contact_enquiries"), ended)
	}
	if n := d.text(t, `select count(*)::text from notifications`); n != fmt.Sprint(2*ended["stored"]) {
		t.Errorf("%s emails are queued, want one to the recipient and one to the sender of each", n)
	}
}

// Of a thousand enquiries at once from a thousand addresses, with forms that were
// opened when it was quiet, a few are stored, and the others are asked for again
// with a proof of work. Without it nobody is notified of them.
func TestAThousandAtOnceFromManyAddresses(t *testing.T) {
	t.Parallel()
	d := newDeskOn(t, dbtest.Pool(t))
	d.setRecipient(t, "sales@example.com")
	if _, err := d.settings.SaveContact(t.Context(), setting.ContactChange{KeepDays: "10", KeepSpamDays: "5", Challenge: "busy"}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	address := func(n int) string { return fmt.Sprintf("198.18.%d.%d", n/250, n%250+1) }
	forms, began := d.crowd(crowdSize), time.Now()
	first := flood(t, d, forms, address)
	if first["stored"] < 20 || first["stored"] > 40 || first["stored"]+first["asked"] != crowdSize {
		t.Errorf("the first time: %v", first)
	}
	var again []contact.Form
	for _, f := range forms[:350] { // more than the emails to senders of an hour
		stamp, err := d.contacts.Stamps.Next(t.Context(), f.Stamp, true)
		if err != nil {
			t.Fatal(err)
		}
		if d.contacts.Stamps.WorkOf(stamp) == 0 {
			t.Fatal("the next form asks for no work")
		}
		f.Stamp = stamp
		again = append(again, f)
	}
	second := flood(t, d, again, address)
	if second["asked"] > 0 || second["stored"] > first["stored"] || second["stored"]+second["unconfirmed"] != len(again) {
		t.Errorf("the second time: %v", second)
	}
	got := d.text(t, `select string_agg(status || ' ' || n, ', ' order by status) from (select status, count(*) as n from contact_enquiries group by status) s`)
	if want := fmt.Sprintf("new %d, unconfirmed %d", first["stored"], second["unconfirmed"]); got != want {
		t.Errorf("the enquiries are %s, want %s", got, want)
	}
	if n := d.text(t, `select count(*)::text from notifications where purpose = 'contact'`); n != fmt.Sprint(first["stored"]) {
		t.Errorf("the recipient gets %s emails for %d enquiries", n, first["stored"])
	}
	most := 301 + int(time.Since(began)/(12*time.Second)) // 300 at once, and 300 an hour
	if over := d.text(t, `select (count(*) > $1)::text from notifications where purpose <> 'contact'`, most); over != "false" {
		t.Errorf("senders get more than %d emails", most)
	}
	if n := d.text(t, `select count(*)::text from contact_enquiries where status = '`+models.EnquiryUnconfirmed+`' and exists (select from contact_deliveries d where d.enquiry_id = id)`); n != "0" {
		t.Errorf("%s unconfirmed enquiries are delivered", n)
	}
}
