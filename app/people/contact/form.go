package contact

import (
	"crypto/sha256"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/people/notification"
	"heliograph/app/phone"
	"heliograph/db/models"
)

// Form is the contact form as it was filled in.
type Form struct {
	Organisation string
	Website      string
	Name         string
	Email        string
	Phones       string // separated by commas or lines
	GSTNumber    string
	Message      string
	Consent      bool
	Page         string // the path that the form was opened from
	// Trap is a field that people do not see.
	Trap string
	// Stamp is what NewStamp or NextStamp returned, and Proof the proof of work if
	// the stamp asks for one.
	Stamp, Proof string
}

// The longest values, in characters.
const (
	maxName    = 200
	maxMessage = 5000
	maxPage    = 500
	maxPhones  = 5
	minMessage = 10
)

// normalise returns an enquiry in the form in which it is stored, or an Invalid
// error that names the fields to change.
func (f Form) normalise() (models.Enquiry, error) {
	var problems faults
	e := models.Enquiry{
		Organisation: oneLine(f.Organisation), Name: oneLine(f.Name), Message: cleanText(f.Message),
		Page: LocalPath(f.Page), ConsentVersion: consentVersion,
	}
	problems.add(!isName(e.Organisation), "organisation", "Enter the name of your organisation in letters, with at most 200 characters.")
	problems.add(!isName(e.Name), "name", "Enter your name in letters, with at most 200 characters.")
	var problem string
	e.Email, problem = normaliseEmail(f.Email)
	problems.add(problem != "", "email", problem)
	e.Website, problem = normaliseWebsite(f.Website)
	problems.add(problem != "", "website", problem)
	e.Phones, problem = normalisePhones(f.Phones)
	problems.add(problem != "", "phones", problem)
	e.GSTNumber, problem = normaliseGST(f.GSTNumber)
	problems.add(problem != "", "gst_number", problem)
	length := utf8.RuneCountInString(e.Message)
	problems.add(length < minMessage, "message", "Say in a sentence or two how we can help.")
	problems.add(length > maxMessage, "message", "Shorten your message to at most 5,000 characters.")
	problems.add(!f.Consent, "consent", "Agree that we store your details. We cannot answer without them.")
	e.Fingerprint = fingerprint(e)
	return e, problems.err()
}

// fingerprint is the same for submissions that say the same: same sender, same
// organisation, same words.
func fingerprint(e models.Enquiry) []byte {
	words := strings.Join(strings.Fields(strings.ToLower(e.Message)), " ")
	key := sha256.Sum256([]byte("contact"))
	return keyring.MAC(key[:], e.Email, strings.ToLower(e.Organisation), words)
}

// faults collects the problems of a form.
type faults []fault.Field

func (f *faults) add(wrong bool, name, message string) {
	if wrong {
		*f = append(*f, fault.Field{Name: name, Message: message})
	}
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return fault.InvalidFields(f...)
}

// oneLine joins the words of a text with single spaces, without characters that
// nobody sees. Copied text has some of them.
func oneLine(text string) string {
	return strings.Join(strings.Fields(norm.NFC.String(strings.Map(dropUnseen, text))), " ")
}

func dropUnseen(r rune) rune {
	const joiners, directionMarks = "\u200c\u200d", "\u200e\u200f\u061c"
	switch {
	case strings.ContainsRune(joiners, r): // several scripts spell with them
		return r
	case strings.ContainsRune(directionMarks, r):
		return -1
	case unicode.Is(unicode.Bidi_Control, r): // refused, because it turns words around
		return r
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// cleanText returns a text of several lines without control characters.
func cleanText(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(norm.NFC.String(text))
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text))
}

// mostMarks is the largest number of marks on one letter. Tibetan and Vedic
// Sanskrit need four.
const mostMarks = 5

// isName reports whether a text can name a person or an organisation in any
// script.
func isName(text string) bool {
	letters, marks := 0, 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Cc, unicode.Co, unicode.Zl, unicode.Zp, unicode.Bidi_Control) || r == utf8.RuneError:
			return false
		case unicode.Is(unicode.M, r):
			if marks++; marks > mostMarks {
				return false
			}
			continue
		case unicode.IsLetter(r):
			letters++
		}
		marks = 0
	}
	return letters > 0 && utf8.RuneCountInString(text) <= maxName
}

// LocalPath returns the path of a page of this site, or an empty string.
func LocalPath(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(u.Path, "/") || strings.ContainsAny(text, "\\\r\n") || len(text) > maxPage {
		return ""
	}
	return u.EscapedPath()
}

// normaliseEmail returns an address in the form that is stored. It must be one of
// the internet, because the sender is answered there.
func normaliseEmail(text string) (address, problem string) {
	address, problem = notification.NormaliseAddress(text)
	if problem == "" && !strings.Contains(address[strings.LastIndexByte(address, '@'):], ".") {
		problem = "Enter an email address such as asha@example.com."
	}
	return address, problem
}

// normaliseWebsite returns a website as a URL. problem says what to change.
func normaliseWebsite(text string) (website, problem string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", ""
	}
	problem = "Enter an address such as example.com."
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || strings.ContainsFunc(text, unicode.IsControl) {
		return "", problem
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil || !strings.Contains(host, ".") || strings.HasSuffix(host, ".") || u.Port() != "" {
		return "", problem
	}
	u.Host, u.Fragment = strings.ToLower(host), ""
	if u.Path == "/" {
		u.Path = ""
	}
	if website = u.String(); len(website) > 300 {
		return "", problem
	}
	return website, ""
}

// normalisePhones returns phone numbers in E.164, each once.
func normalisePhones(text string) (numbers []string, problem string) {
	numbers = []string{}
	seen := map[string]bool{}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' || r == '\r' }) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		number, problem := phone.ParseAny(part)
		if problem != "" {
			return numbers, problem
		}
		if !seen[number] {
			seen[number] = true
			numbers = append(numbers, number)
		}
	}
	if len(numbers) > maxPhones {
		return numbers, "Enter at most 5 phone numbers."
	}
	return numbers, ""
}
