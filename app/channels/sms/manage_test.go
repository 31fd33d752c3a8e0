package sms

import (
	"strings"
	"testing"

	"heliograph/db/models"
)

func TestTemplateFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		text models.SMSTemplate
		want string
	}{
		{"a name of one character", models.SMSTemplate{Name: "a", Text: "Hello"}, ""},
		{"the longest name", models.SMSTemplate{Name: strings.Repeat("ä", 100), Text: "Hello"}, ""},
		{"no name", models.SMSTemplate{Text: "Hello"}, "name"},
		{"a name that is too long", models.SMSTemplate{Name: strings.Repeat("ä", 101), Text: "Hello"}, "name"},
		{"a registration of letters", models.SMSTemplate{Name: "a", Text: "Hello", DLTTemplateID: "abcdefg"}, "dlt_template_id"},
		{"no text", models.SMSTemplate{Name: "a"}, "text"},
		{"the longest text", models.SMSTemplate{Name: "a", Text: strings.Repeat("ä", maxTemplateText)}, ""},
		{"a text that is too long", models.SMSTemplate{Name: "a", Text: strings.Repeat("ä", maxTemplateText+1)}, "text"},
		{"a variable that does not end", models.SMSTemplate{Name: "a", Text: "Hello {#var"}, "text"},
	} {
		var got string
		for _, f := range templateFaults(test.text) {
			got += f.Name
		}
		if got != test.want {
			t.Errorf("%s: the faults are in %q, want %q", test.name, got, test.want)
		}
	}
}

// What a request may hold is exactly what the contract says.
func TestMostRecipients(t *testing.T) {
	t.Parallel()
	s := &Submission{}
	for range maxRecipients / maxMessageRecipients {
		s.Messages = append(s.Messages, Message{Dest: make([]string, maxMessageRecipients)})
	}
	if _, err := newAccount().envelope(s, "", noon); err != nil {
		t.Errorf("%d recipients are refused: %v", maxRecipients, err)
	}
	more := &Submission{Messages: append(s.Messages, Message{Dest: []string{"919812345678"}})}
	if _, err := newAccount().envelope(more, "", noon); err == nil {
		t.Errorf("%d recipients are taken", maxRecipients+1)
	}
	wide := &Submission{Messages: []Message{{Dest: make([]string, maxMessageRecipients+1)}}}
	if _, err := newAccount().envelope(wide, "", noon); err == nil {
		t.Errorf("a message to %d recipients is taken", maxMessageRecipients+1)
	}
}
