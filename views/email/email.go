// Package email holds the emails that people receive.
//
// Each email is written once, as a Message of blocks. HTML renders it as a document
// for both colour schemes, with inline styles for clients that drop style sheets.
// Text renders the same blocks as plain text. Nothing in an email is loaded from
// anywhere, so that it shows at once and cannot track its reader.
package email

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// product is the default name of the portal. For replaces it.
const product = "Heliograph"

// Message is an email without its recipient.
type Message struct {
	Subject string // one line of at most 200 characters
	blocks  []block
	name    string // of the portal; empty is the default
	names   bool   // whether the text names the portal as Product
}

// For returns the message as the portal with a name sends it; empty is the default name.
func (m Message) For(name string) Message {
	if name == "" {
		return m
	}
	m.name = name
	if !m.names {
		return m
	}
	m.Subject, m.blocks = strings.ReplaceAll(m.Subject, product, name), slices.Clone(m.blocks)
	for i := range m.blocks {
		m.blocks[i].text = strings.ReplaceAll(m.blocks[i].text, product, name)
	}
	return m
}

// block is a paragraph, or the link that a reader is to open.
type block struct {
	text string
	url  string // of a link; text is its label
	note bool   // a remark at the end, in small type
}

func paragraph(format string, values ...any) block {
	return block{text: fmt.Sprintf(format, values...)}
}

func link(label, url string) block { return block{text: label, url: url} }

func note(format string, values ...any) block {
	return block{text: fmt.Sprintf(format, values...), note: true}
}

// Text returns the message as plain text.
func (m Message) Text() string {
	var b strings.Builder
	for i, part := range m.blocks {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(part.text)
		if part.url != "" {
			b.WriteString(":\n" + part.url)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// HTML returns the message as an HTML document.
func (m Message) HTML(ctx context.Context) (string, error) {
	var b strings.Builder
	err := document(m).Render(ctx, &b)
	return b.String(), err
}

// preview is the beginning of the text, which clients show beside the subject.
func (m Message) preview() string {
	if len(m.blocks) == 0 {
		return ""
	}
	return m.blocks[0].text
}

// moment writes a time for people in any time zone.
func moment(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }
