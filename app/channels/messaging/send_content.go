package messaging

import (
	"regexp"
	"time"

	"heliograph/app/input"
)

// location is a place on the map, in degrees north and east.
type location struct {
	Latitude  *input.Decimal `json:"latitude"`
	Longitude *input.Decimal `json:"longitude"`
	Name      input.Text     `json:"name,omitempty"`
	Address   input.Text     `json:"address,omitempty"` // shown only with a name
}

const maxPlace = 1000 // characters of the name or address of a place

func (l *location) review(v *review, path string) {
	v.need(path+".latitude", l.Latitude != nil)
	v.need(path+".longitude", l.Longitude != nil)
	if l.Latitude != nil && (*l.Latitude < -90 || *l.Latitude > 90) {
		v.refuse(path+".latitude", "%s.latitude must be from -90 to 90", path)
	}
	if l.Longitude != nil && (*l.Longitude < -180 || *l.Longitude > 180) {
		v.refuse(path+".longitude", "%s.longitude must be from -180 to 180", path)
	}
	v.atMost(path+".name", l.Name, maxPlace)
	v.atMost(path+".address", l.Address, maxPlace)
}

// contactCard is a contact with phone numbers, emails and addresses.
type contactCard struct {
	Name      contactName      `json:"name"`
	Birthday  input.Text       `json:"birthday,omitempty"` // year-month-day
	Phones    []contactPhone   `json:"phones,omitempty"`
	Emails    []contactEmail   `json:"emails,omitempty"`
	URLs      []contactURL     `json:"urls,omitempty"`
	Org       *contactOrg      `json:"org,omitempty"`
	Addresses []contactAddress `json:"addresses,omitempty"`
	Origin    input.Text       `json:"origin,omitempty"` // of a received card: contact_request or other
}

// contactName is a name, formatted and in its parts.
type contactName struct {
	FormattedName input.Text `json:"formatted_name"`
	FirstName     input.Text `json:"first_name,omitempty"`
	MiddleName    input.Text `json:"middle_name,omitempty"`
	LastName      input.Text `json:"last_name,omitempty"`
	Prefix        input.Text `json:"prefix,omitempty"`
	Suffix        input.Text `json:"suffix,omitempty"`
}

// contactPhone is a phone number of a contact. WaID is the number on the
// channel, as digits.
type contactPhone struct {
	Phone input.Text `json:"phone,omitempty"`
	Type  input.Text `json:"type,omitempty"`
	WaID  input.Text `json:"wa_id,omitempty"`
}

// contactEmail is an email address of a contact.
type contactEmail struct {
	Email input.Text `json:"email,omitempty"`
	Type  input.Text `json:"type,omitempty"`
}

// contactURL is a web address of a contact.
type contactURL struct {
	URL  input.Text `json:"url,omitempty"`
	Type input.Text `json:"type,omitempty"`
}

// contactOrg is the employer of a contact.
type contactOrg struct {
	Company    input.Text `json:"company,omitempty"`
	Department input.Text `json:"department,omitempty"`
	Title      input.Text `json:"title,omitempty"`
}

// contactAddress is a postal address.
type contactAddress struct {
	Street      input.Text `json:"street,omitempty"`
	City        input.Text `json:"city,omitempty"`
	State       input.Text `json:"state,omitempty"`
	Zip         input.Text `json:"zip,omitempty"`
	Country     input.Text `json:"country,omitempty"`
	CountryCode input.Text `json:"country_code,omitempty"`
	Type        input.Text `json:"type,omitempty"`
}

const maxContacts = 5

func reviewContacts(v *review, cards []contactCard) {
	v.count("contacts", len(cards), maxContacts)
	for i := range cards {
		c, path := &cards[i], item("contacts", i)
		v.need(path+".name.formatted_name", c.Name.FormattedName != "")
		v.need(path+".name.first_name", c.Name.FirstName+c.Name.MiddleName+c.Name.LastName+c.Name.Prefix+c.Name.Suffix != "")
		if c.Birthday != "" {
			if _, err := time.Parse(time.DateOnly, string(c.Birthday)); err != nil {
				v.refuse(path+".birthday", "%s.birthday must be a date such as 1990-05-17", path)
			}
		}
		for j, p := range c.Phones {
			if n := len(p.WaID); n > 0 && (n < 5 || n > 15 || Digits(string(p.WaID)) != string(p.WaID)) {
				at := item(path+".phones", j) + ".wa_id"
				v.refuse(at, "%s must have 5 to 15 digits", at)
			}
		}
	}
}

// reaction adds an emoji to a message. An empty emoji removes it.
type reaction struct {
	MessageID input.Text `json:"message_id"`
	Emoji     input.Text `json:"emoji"`
}

const maxEmoji = 32 // characters; a joined emoji has many

func (r *reaction) review(v *review) {
	v.message("reaction.message_id", r.MessageID)
	v.atMost("reaction.emoji", r.Emoji, maxEmoji)
	if r.Emoji != "" && !singleEmoji.MatchString(string(r.Emoji)) {
		v.refuse("reaction.emoji", "reaction.emoji is %q: send exactly one emoji, or an empty string to remove the reaction", clip(string(r.Emoji)))
	}
}

// singleEmoji matches one emoji: a keycap, a flag, or pictures that are joined, each
// perhaps with a variation, a skin tone or tags (UTS #51).
var singleEmoji = func() *regexp.Regexp {
	const picture = `[\x{A9}\x{AE}\x{203C}\x{2049}\x{2122}\x{2139}\x{2190}-\x{21FF}\x{2300}-\x{23FF}\x{24C2}\x{25A0}-\x{27BF}\x{2900}-\x{297F}` +
		`\x{2B00}-\x{2BFF}\x{3030}\x{303D}\x{3297}\x{3299}\x{1F000}-\x{1F1E5}\x{1F200}-\x{1FAFF}][\x{1F3FB}-\x{1F3FF}]?\x{FE0F}?[\x{E0020}-\x{E007F}]*`
	return regexp.MustCompile(`^(?:[0-9#*]\x{FE0F}?\x{20E3}|[\x{1F1E6}-\x{1F1FF}]{2}|` + picture + `(?:\x{200D}` + picture + `)*)$`)
}()
