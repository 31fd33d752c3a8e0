package simulate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"heliograph/app/channels/rcs"
)

// The parts of an RCS message that a phone shows.
type (
	rcsContent struct {
		Text        string
		RichCard    *rcsRichCard
		ContentInfo *rcsFile
		Suggestions []rcsSuggestion
	}
	rcsRichCard struct {
		StandaloneCard *struct {
			CardOrientation         string
			ThumbnailImageAlignment string
			CardContent             rcsCard
		}
		CarouselCard *struct {
			CardWidth    string
			CardContents []rcsCard
		}
	}
	rcsCard struct {
		Title, Description string
		Media              *struct {
			Height      string
			ContentInfo rcsFile
		}
		Suggestions []rcsSuggestion
	}
	rcsFile       struct{ FileURL, FileName string }
	rcsSuggestion struct {
		Reply  *struct{ Text, PostbackData string }
		Action *struct {
			Text, PostbackData string
			DialAction         *struct{ PhoneNumber string }
			ViewLocationAction *struct {
				LatLong      *struct{ Latitude, Longitude json.Number }
				Label, Query string
			}
			CreateCalendarEventAction *struct{ StartTime, EndTime, Title string }
			OpenURLAction             *struct{ URL, Application string }
			ShareLocationAction       *struct{}
		}
	}
)

// rcsScreen returns the screen of the messages of a request.
func rcsScreen(r rcs.Rehearsal) *Screen {
	s := &Screen{Sender: r.Bot.Name, About: r.Bot.Brand, Verified: true, Color: r.Bot.Color}
	for _, m := range r.Messages {
		if len(s.Bubbles) >= maxBubbles {
			s.Notes = append(s.Notes, fmt.Sprintf("%d more recipients get a message like these.", len(r.Messages)-maxBubbles))
			break
		}
		b := rcsBubble(m.Content)
		if len(r.Messages) > 1 {
			b.To = m.To
		}
		s.Bubbles = append(s.Bubbles, b)
		s.addFallback(m)
	}
	return s
}

// maxBubbles is how many messages a phone shows.
const maxBubbles = 10

// addFallback adds what follows when RCS does not carry a message.
func (s *Screen) addFallback(m rcs.RehearsedMessage) {
	reason := map[string]string{
		"TTL": "when it expires", "NOT_CAPABLE": "when the phone has no RCS", "FAILED": "when it fails",
	}[m.After]
	reason = cmp.Or(reason, "when RCS cannot deliver it")
	switch {
	case m.Fallback != nil:
		b := smsBubble(*m.Fallback)
		b.Channel = "SMS, " + reason
		s.Bubbles = append(s.Bubbles, b)
	case m.FallbackTemplate != nil:
		b, err := messagingBubble(*m.FallbackTemplate)
		if err == nil {
			b.Channel = "Business messaging, " + reason
			s.Bubbles = append(s.Bubbles, b)
		}
	}
}

func rcsBubble(content map[string]any) (b Bubble) {
	var c rcsContent
	if text, err := json.Marshal(content); err != nil || json.Unmarshal(text, &c) != nil {
		return b // its shape was checked
	}
	b.Text, b.Chips = plainText(c.Text), buttons(c.Suggestions)
	switch {
	case c.ContentInfo != nil:
		b.Media = c.ContentInfo.media("")
	case c.RichCard != nil && c.RichCard.StandaloneCard != nil:
		card := c.RichCard.StandaloneCard
		chips := b.Chips
		b = card.CardContent.bubble()
		b.Chips = chips
		if b.Media != nil && card.CardOrientation == "HORIZONTAL" {
			b.Media.Height, b.Media.Side = "", strings.ToLower(card.ThumbnailImageAlignment)
		}
	case c.RichCard != nil && c.RichCard.CarouselCard != nil:
		for _, card := range c.RichCard.CarouselCard.CardContents {
			made := card.bubble()
			made.Wide = c.RichCard.CarouselCard.CardWidth == "MEDIUM"
			b.Cards = append(b.Cards, made)
		}
	}
	return b
}

func (c rcsCard) bubble() Bubble {
	b := Bubble{Title: c.Title, Text: plainText(c.Description), Buttons: buttons(c.Suggestions)}
	if c.Media != nil {
		b.Media = c.Media.ContentInfo.media(strings.ToLower(c.Media.Height))
	}
	return b
}

func (f rcsFile) media(height string) *mediaFile {
	kind := "file"
	address, _, _ := strings.Cut(strings.ToLower(f.FileURL), "?")
	for ending, known := range map[string]string{".jpg": "image", ".jpeg": "image", ".png": "image", ".gif": "image", ".mp4": "video", ".webm": "video", ".mp3": "audio", ".pdf": "document"} {
		if strings.HasSuffix(address, ending) {
			kind = known
		}
	}
	return &mediaFile{Kind: kind, Label: f.FileURL, Name: f.FileName, Height: height}
}

// buttons returns suggestions as they are tapped.
func buttons(suggestions []rcsSuggestion) (list []Button) {
	for _, s := range suggestions {
		if s.Reply != nil {
			list = append(list, Button{buttonReply, s.Reply.Text, s.Reply.PostbackData})
			continue
		}
		a := s.Action
		if a == nil {
			continue
		}
		b := Button{buttonReply, a.Text, a.PostbackData}
		switch {
		case a.DialAction != nil:
			b.Kind, b.Leads = buttonCall, a.DialAction.PhoneNumber
		case a.ViewLocationAction != nil:
			place := a.ViewLocationAction
			b.Kind, b.Leads = buttonMap, cmp.Or(place.Label, place.Query)
			if b.Leads == "" && place.LatLong != nil {
				b.Leads = place.LatLong.Latitude.String() + ", " + place.LatLong.Longitude.String()
			}
		case a.CreateCalendarEventAction != nil:
			event := a.CreateCalendarEventAction
			b.Kind, b.Leads = buttonCalendar, event.Title+", "+event.StartTime
		case a.OpenURLAction != nil:
			b.Kind, b.Leads = buttonURL, a.OpenURLAction.URL
		case a.ShareLocationAction != nil:
			b.Kind, b.Leads = buttonShare, "Asks for the location"
		}
		list = append(list, b)
	}
	return list
}
