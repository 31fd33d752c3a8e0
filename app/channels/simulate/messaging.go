package simulate

import (
	"encoding/json"
	"fmt"

	"heliograph/app/channels/messaging"
)

// messagingScreen returns the screen of a checked message.
func messagingScreen(r messaging.Rehearsal) (*Screen, error) {
	s := &Screen{Sender: "Your business", About: "Business account", Verified: true}
	if len(r.Message.Payload) == 0 {
		s.Notes = []string{"A read receipt shows nothing new: the message that the customer wrote gets its blue ticks."}
		return s, nil
	}
	b, err := messagingBubble(r)
	if err != nil {
		return nil, err
	}
	s.Bubbles = []Bubble{b}
	return s, nil
}

func messagingBubble(r messaging.Rehearsal) (b Bubble, err error) {
	var m sentMessage
	if err := json.Unmarshal(r.Message.Payload, &m); err != nil {
		return b, fmt.Errorf("reading a checked message: %w", err)
	}
	if m.Context != nil && m.Context.MessageID != "" {
		b.Quoted = "The message " + m.Context.MessageID
	}
	switch m.Type {
	case "text":
		b.Text = formatted(m.Text.Body)
	case "image", "video", "audio", "document", "sticker":
		file := map[string]*sentFile{"image": m.Image, "video": m.Video, "audio": m.Audio, "document": m.Document, "sticker": m.Sticker}[m.Type]
		b.Media, b.Text = file.media(m.Type), formatted(file.Caption)
	case "location":
		b.addPlace(m.Location)
	case "contacts":
		for _, c := range m.Contacts {
			b.Cards = append(b.Cards, c.card())
		}
	case "reaction":
		b.Quoted, b.Reaction = "Your customer's message", m.Reaction.Emoji
		if b.Reaction == "" {
			b.Reaction = "–"
			b.Footer = "The reaction is taken away."
		}
	case "interactive":
		b.addInteractive(m.Interactive)
	case "template":
		var parts []storedPart
		if err := json.Unmarshal(r.Template.Components, &parts); err != nil {
			return b, fmt.Errorf("reading a template: %w", err)
		}
		b.addTemplate(parts, m.Template.Components)
	}
	return b, nil
}

func (f *sentFile) media(kind string) *mediaFile {
	if f == nil {
		return &mediaFile{Kind: kind}
	}
	m := &mediaFile{Kind: kind, Label: f.Link, Name: f.Filename}
	if f.ID != "" {
		m.Label = "Upload " + f.ID
	}
	return m
}

func (b *Bubble) addPlace(p *sentPlace) {
	if p == nil {
		return
	}
	b.Media = &mediaFile{Kind: "map", Label: fmt.Sprintf("%g, %g", p.Latitude, p.Longitude)}
	if b.Title = p.Name; p.Name != "" && p.Address != "" {
		b.Rows = append(b.Rows, Row{"", p.Address})
	}
}

func (c sentContact) card() Bubble {
	b := Bubble{Title: c.Name.FormattedName}
	if c.Org != nil && c.Org.Company != "" {
		b.Rows = append(b.Rows, Row{"Company", c.Org.Company})
	}
	for _, p := range c.Phones {
		b.Rows = append(b.Rows, Row{"Phone", p.Phone})
	}
	for _, e := range c.Emails {
		b.Rows = append(b.Rows, Row{"Email", e.Email})
	}
	for _, u := range c.URLs {
		b.Rows = append(b.Rows, Row{"Web", u.URL})
	}
	if c.Birthday != "" {
		b.Rows = append(b.Rows, Row{"Birthday", c.Birthday})
	}
	b.Buttons = []Button{{buttonReply, "Save contact", ""}}
	return b
}
