package sms

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"heliograph/db/seed"
)

// property is what the contract says about a value of a request.
type property struct {
	Least       *int `yaml:"minimum"`
	Most        *int `yaml:"maximum"`
	Longest     *int `yaml:"maxLength"`
	Default     any  `yaml:"default"`
	Description string
}

// contract holds the parts of the SMS contract that the tests compare with the
// service.
type contract struct {
	Paths map[string]struct {
		Get struct {
			Parameters []struct {
				Name   string
				Schema property
			}
		}
	}
	Components struct {
		Schemas map[string]struct{ Properties map[string]property }
	}
}

func readContract(t *testing.T) (c contract) {
	t.Helper()
	document, err := seed.Files.ReadFile("sms.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(document, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// parameter returns what the contract says about a query parameter.
func (c contract) parameter(t *testing.T, path, name string) property {
	t.Helper()
	for _, p := range c.Paths[path].Get.Parameters {
		if p.Name == name {
			return p.Schema
		}
	}
	t.Fatalf("%s has no parameter %s", path, name)
	return property{}
}

// Every limit of a number or text of a message holds as the contract states it:
// the limit itself is accepted, and what is beyond it is refused.
func TestLimitsOfAMessageAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	properties := readContract(t).Components.Schemas["SubmitMessage"].Properties
	beside := map[string]map[string]any{ // what a value needs to be read at all
		"port": {"type": "SP", "msg": "0102"},
		"dcs":  {"type": "BM", "msg": "0102"},
	}
	// Their limits depend on other values, and have tests of their own.
	elsewhere := []string{"country_cd", "template_id", "header", "msg", "dest"}
	checked := 0
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p := properties[name]
		if slices.Contains(elsewhere, name) {
			continue
		}
		send := func(value any, accepted bool) {
			checked++
			changes := map[string]any{name: value}
			maps.Copy(changes, beside[name])
			s, err := ReadJSON(request(changes))
			r, _ := submitPure(newAccount(), s, err, noon)
			if (r.Status.Code == CodeAccepted) != accepted {
				t.Errorf("%s of %.20v: %s %s", name, value, r.Status.Code, r.Status.Desc)
			}
		}
		switch {
		case p.Least != nil && p.Most != nil:
			send(*p.Least, true)
			send(*p.Least-1, false)
			send(*p.Most, true)
			send(*p.Most+1, false)
		case p.Longest != nil:
			send(strings.Repeat("x", *p.Longest), true)
			send(strings.Repeat("x", *p.Longest+1), false)
		}
	}
	if checked < 30 {
		t.Errorf("only %d values were checked", checked)
	}
}

// What the contract says about an absent value is what happens.
func TestAbsentValuesAreWhatTheContractSays(t *testing.T) {
	t.Parallel()
	c := readContract(t)
	const submit, generate = "/genericapi/QSGenericReceiver", "/index.php/sms/clientotp"
	s, err := ReadJSON(request(nil))
	_, b := submitPure(newAccount(), s, err, noon)
	if got, want := b.messages[0].TTL, c.parameter(t, submit, "expiry").Default; got != want {
		t.Errorf("a message without expiry lives %d seconds, documented are %v", got, want)
	}
	if want := c.parameter(t, submit, "max_split").Default; maxParts != want {
		t.Errorf("a message may have %d parts, documented are %v", maxParts, want)
	}
	o, err := OTPRequest{Sender: "PARCEL", Numbers: "919812345678"}.check()
	if err != nil {
		t.Fatal(err)
	}
	if want := c.parameter(t, generate, "otplength").Default; o.Digits != want {
		t.Errorf("a code has %d digits, documented are %v", o.Digits, want)
	}
	if want := c.parameter(t, generate, "otpexpiry").Default; o.LifeSeconds != 60*want.(int) {
		t.Errorf("a code works for %d seconds, documented are %v minutes", o.LifeSeconds, want)
	}
	for name, x := range map[string]struct {
		changes map[string]any
		entity  string // of the account
		want    Code
	}{
		"the entity of the account":        {map[string]any{"dlt_entity_id": nil}, entity, CodeAccepted},
		"no entity at all":                 {map[string]any{"dlt_entity_id": nil}, "", codeEntity},
		"no registered text":               {map[string]any{"dlt_template_id": nil}, entity, codeDLTTemplate},
		"the registration of a stored one": {map[string]any{"dlt_template_id": nil, "msg": nil, "template_id": "4021", "template_values": []string{"Asha", "6 pm"}}, entity, CodeAccepted},
		"a header of somebody else":        {map[string]any{"header": "LIGHTS"}, entity, CodeHeader},
		"udh alone":                        {map[string]any{"udh": "0605040B8423F0"}, entity, CodeAccepted},
		"udh switched off":                 {map[string]any{"udh": "0605040B8423F0", "udhi": "0"}, entity, codeUDHI},
		"udhi without udh":                 {map[string]any{"udhi": "1"}, entity, codeUDHI},
	} {
		account := newAccount()
		account.EntityID = x.entity
		s, err := ReadJSON(request(x.changes))
		if r, _ := submitPure(account, s, err, noon); r.Status.Code != x.want {
			t.Errorf("%s: %s %s, want %s", name, r.Status.Code, r.Status.Desc, x.want)
		}
	}
	// The claims stand in the contract as they are held here.
	properties := c.Components.Schemas["SubmitMessage"].Properties
	for name, claim := range map[string]string{
		"dlt_entity_id":   "Without it, the id of the account; `336` if there is none.",
		"dlt_template_id": "unless `template_id` names a stored text that has one.",
		"header":          "one of the headers of your account",
		"udhi":            "`udh` is also read without it, and refused with `0`.",
	} {
		if !strings.Contains(properties[name].Description, claim) {
			t.Errorf("%s: %q does not say %q", name, properties[name].Description, claim)
		}
	}
}
