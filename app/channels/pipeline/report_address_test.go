package pipeline

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"heliograph/app/fault"
	"heliograph/app/keyring"
)

func newKeyring(t *testing.T) *keyring.Keyring {
	t.Helper()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// idChannel is a channel. Carriers know its messages as "m-" and their id.
var idChannel = &Channel{
	Name:      "sms",
	MessageID: func(id uuid.UUID) string { return "m-" + id.String() },
	ParseMessageID: func(text string) (uuid.UUID, bool) {
		rest, ok := strings.CutPrefix(text, "m-")
		id, err := uuid.Parse(rest)
		return id, ok && err == nil
	},
	ReadReport: func(map[string]string) (CarrierReport, bool) { return CarrierReport{}, false },
}

// Parts have ids of their own from the second on, which lead back to them.
func TestPartsHaveIDs(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("0190c5d2-0000-7000-8000-000000000001")
	for part, want := range map[int]string{0: "", 1: "", 2: ".2", 17: ".17"} {
		text := idChannel.PartID(id, part)
		message, got, ok := idChannel.parsePartID(text)
		if text != "m-"+id.String()+want || !ok || message != id || got != max(part, 1) {
			t.Errorf("part %d is %s, which is part %d of %s, %v", part, text, got, message, ok)
		}
	}
	for _, text := range []string{"", "m-", ".2", "x", "m-" + id.String() + ".", "m-" + id.String() + ".1", "m-" + id.String() + ".0", "m-" + id.String() + ".-3", "m-" + id.String() + ".b", id.String() + ".2"} {
		if message, part, ok := idChannel.parsePartID(text); ok {
			t.Errorf("%q is part %d of %s", text, part, message)
		}
	}
}

// Only addresses that were signed here are taken, each for what it was signed for.
func TestReportAddressesAreSigned(t *testing.T) {
	t.Parallel()
	keys := newKeyring(t)
	report, inbound := NewReportAddress(keys, "kannel", "sms", "m-1"), NewInboundAddress(keys, "kannel", "sms", 0)
	if report.Inbound() || !inbound.Inbound() {
		t.Error("the two kinds of address are mistaken for each other")
	}
	for _, a := range []ReportAddress{report, inbound} {
		if parsed, ok := ParseReportPath(a.Path()); !ok || parsed != a {
			t.Errorf("%s is read as %+v, %v", a.Path(), parsed, ok)
		}
	}
	for _, path := range []string{"", "/carriers", "/carriers/kannel/sms/m-1", report.Path() + "/more", "/other" + report.Path(), strings.TrimPrefix(report.Path(), "/")} {
		if a, ok := ParseReportPath(path); ok {
			t.Errorf("%q is read as %+v", path, a)
		}
	}
	channels := Channels{"sms": idChannel, "rcs": {Name: "rcs", ReadReport: idChannel.ReadReport}, "mute": {Name: "mute"}}
	r := &Receiver{Keyring: keys, Channels: channels}
	if err := r.Receive(t.Context(), report, nil); err != nil {
		t.Errorf("a signed address whose report says nothing: %v", err)
	}
	changed := func(change func(a *ReportAddress)) ReportAddress {
		a := report
		change(&a)
		return a
	}
	for name, a := range map[string]ReportAddress{
		"another part":        changed(func(a *ReportAddress) { a.ID = "m-2" }),
		"another carrier":     changed(func(a *ReportAddress) { a.Carrier = "other" }),
		"another channel":     changed(func(a *ReportAddress) { a.Channel = "rcs" }),
		"an unknown channel":  NewReportAddress(keys, "kannel", "fax", "m-1"),
		"a mute channel":      NewReportAddress(keys, "kannel", "mute", "m-1"),
		"no signature":        changed(func(a *ReportAddress) { a.Signature = "" }),
		"a broken signature":  changed(func(a *ReportAddress) { a.Signature = "%" }),
		"the one of messages": inbound,
	} {
		if err := r.Receive(t.Context(), a, nil); !fault.Is(err, fault.NotFound) {
			t.Errorf("a report at %s: %v", name, err)
		}
		if err := r.ReceiveMessage(t.Context(), a, nil); !fault.Is(err, fault.NotFound) { // the channel takes none
			t.Errorf("a message at %s: %v", name, err)
		}
	}
	foreign, err := keyring.New([]string{"k2:" + strings.Repeat("B", 42) + "A="})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Receive(t.Context(), NewReportAddress(foreign, "kannel", "sms", "m-1"), nil); !fault.Is(err, fault.NotFound) {
		t.Errorf("a report at an address of another installation: %v", err)
	}
}
