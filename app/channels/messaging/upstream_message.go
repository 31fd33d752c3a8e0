package messaging

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/gabriel-vasile/mimetype"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/callback"
	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/storage"
)

// unknownReason and unknownTitle are the reason of an upstream that gives no other.
const (
	unknownReason = 131000
	unknownTitle  = "Something went wrong"
)

// SentFile is a file that a person sent.
type SentFile struct {
	Body io.ReadCloser
	Type string // MIME type, as the carrier names it
}

// ErrNoFile is the error of a file that a carrier does not have.
var ErrNoFile = errors.New("the carrier does not have the file")

// posted is a received message as its carrier posted it. Members that we do not know
// are passed on to partners as they are.
type posted struct {
	message map[string]json.RawMessage
	contact json.RawMessage // nil for none
	at      time.Time
}

// envelope are the members of a received message that are not its content.
var envelope = []string{"from", "from_user_id", "from_parent_user_id", "id", "timestamp", "type", "context"}

// content returns the members of a message that are its content.
func (p *posted) content() map[string]json.RawMessage {
	content := maps.Clone(p.message)
	for _, name := range envelope {
		delete(content, name)
	}
	return content
}

// text returns a member that is a string or a number.
func (p *posted) text(name string) string {
	var text input.Text
	_ = json.Unmarshal(p.message[name], &text) // anything else is as good as none
	return string(text)
}

// set replaces a member.
func (p *posted) set(name string, value any) {
	text, err := json.Marshal(value)
	if err == nil {
		p.message[name] = text
	}
}

// takeMessage stores a message that a person sent, once.
func (t *Taker) takeMessage(ctx context.Context, carrier string, number models.PhoneNumber, change postedChange, raw json.RawMessage) error {
	p := &posted{}
	if json.Unmarshal(raw, &p.message) != nil || p.message == nil {
		slog.WarnContext(ctx, "a carrier posted a message of another shape", "carrier", carrier)
		return nil
	}
	upstreamID, kind := p.text("id"), p.text("type")
	in := inbound{PhoneNumberID: number.ID, Product: t.Product, Type: kind, posted: p}
	in.Person, in.Former = p.person()
	if registry.ClipID(upstreamID) == "" || in.contact() == "" || kind == "" || len(kind) > 40 {
		slog.WarnContext(ctx, "a carrier posted a message without a sender, an id or a type", "carrier", carrier, "type", kind)
		return nil
	}
	_, err := queries.UpstreamMessageFind(ctx, t.Pool, carrier, upstreamID)
	if err == nil {
		return nil
	}
	if !db.IsNoRows(err) {
		return fmt.Errorf("looking id %q of carrier %s up: %w", upstreamID, carrier, err)
	}
	p.at = timeOf(input.Text(p.text("timestamp")), time.Now().Add(-keepUpstreamPosts))
	var named contactOfPost
	p.contact, named = findContact(change.Contacts, in.Person)
	in.Name, in.Person.Username = named.Profile.Name, named.Profile.Username
	if in.Context, err = t.translate(ctx, carrier, number, change, p); err != nil {
		return err
	}
	file, err := t.fetch(ctx, number, p, kind)
	if err != nil {
		return err
	}
	stored := false
	err = db.InTx(ctx, t.Pool, func(tx pgx.Tx) error {
		stored, err = t.store(ctx, tx, carrier, upstreamID, in, file)
		return err
	})
	if file != nil && !stored {
		t.files.DiscardObject(ctx, file.Object)
	}
	if err != nil {
		return fmt.Errorf("storing message %q of carrier %s: %w", upstreamID, carrier, err)
	}
	if stored {
		t.Signals.Add("messages", number.OrganisationID)
		t.Signals.Add("callbacks", number.OrganisationID)
	}
	return nil
}

// store stores a message with its file. It reports false if the message was stored
// before.
func (t *Taker) store(ctx context.Context, tx pgx.Tx, carrier, upstreamID string, in inbound, file *models.Media) (bool, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return false, fmt.Errorf("drawing a message id: %w", err)
	}
	fresh, err := writes.UpstreamMessageInsert(ctx, tx, carrier, upstreamID, id)
	if err != nil || !fresh {
		return false, err
	}
	if file != nil {
		if err := t.addFile(ctx, tx, in.posted, in.Type, *file); err != nil {
			return false, err
		}
	}
	if err := json.Unmarshal(mustJSON(in.posted.content()), &in.Content); err != nil {
		in.Content = inboundContent{} // of another shape, which is passed on as it is
	}
	return true, receiveAs(ctx, tx, t.Jobs, id, in)
}

func mustJSON(v map[string]json.RawMessage) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return []byte("{}") // members were read from JSON: cannot fail
	}
	return text
}

// translate puts our ids in place of the carrier's for the messages that a reply or a
// reaction is about, and returns the one that is answered. An unknown one is left out.
func (t *Taker) translate(ctx context.Context, carrier string, number models.PhoneNumber, change postedChange, p *posted) (*uuid.UUID, error) {
	var answered *uuid.UUID
	var quoted map[string]any
	if json.Unmarshal(p.message["context"], &quoted) == nil && quoted != nil {
		id, known, err := t.ours(ctx, carrier, quoted["id"])
		if err != nil {
			return nil, err
		}
		if quoted["id"] = MessageID(id); known {
			answered = &id
		} else {
			delete(quoted, "id")
		}
		if from, ok := quoted["from"].(string); ok && from == Digits(change.Metadata.DisplayPhoneNumber) {
			quoted["from"] = strings.TrimPrefix(number.Number, "+")
		}
		p.set("context", quoted)
	}
	var reaction map[string]any
	if json.Unmarshal(p.message["reaction"], &reaction) == nil && reaction != nil {
		id, known, err := t.ours(ctx, carrier, reaction["message_id"])
		if err != nil {
			return nil, err
		}
		if reaction["message_id"] = MessageID(id); !known {
			delete(reaction, "message_id")
		}
		p.set("reaction", reaction)
	}
	return answered, nil
}

// ours returns the message that a carrier's id means.
func (t *Taker) ours(ctx context.Context, carrier string, id any) (message uuid.UUID, known bool, err error) {
	text, _ := id.(string)
	if text = registry.ClipID(text); text == "" {
		return message, false, nil
	}
	message, err = queries.UpstreamMessageFind(ctx, t.Pool, carrier, text)
	if err != nil {
		return message, false, db.Absent(err, nil, "looking id %q of carrier %s up", text, carrier)
	}
	return message, true, nil
}

// fetch gets the file of a message and keeps it in storage. A message has none if the
// carrier does not have it; then an error says so to the partner.
func (t *Taker) fetch(ctx context.Context, number models.PhoneNumber, p *posted, kind string) (*models.Media, error) {
	var sent struct {
		ID       string `json:"id"`
		Filename string `json:"filename"`
	}
	if (&inboundContent{}).file(input.Text(kind)) == nil || json.Unmarshal(p.message[kind], &sent) != nil || sent.ID == "" {
		return nil, nil
	}
	file, err := t.Fetch(ctx, sent.ID)
	if errors.Is(err, ErrNoFile) {
		p.loseFile(kind, "The file was not there any more when it was fetched.")
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("fetching file %q: %w", sent.ID, err)
	}
	defer file.Body.Close()
	body := bufio.NewReaderSize(file.Body, media.HeadSize)
	head, err := body.Peek(media.HeadSize)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("fetching file %q: %w", sent.ID, err)
	}
	if len(head) == 0 {
		p.loseFile(kind, "The file is empty.")
		return nil, nil
	}
	known, err := media.CheckType(file.Type, head)
	if err != nil { // people may send files that partners may not
		known = media.Type{Name: media.CanonicalType(file.Type), Limit: media.MaxSize}
		if len(known.Name) < 3 || len(known.Name) > 100 {
			known.Name = media.UnknownType
		}
	}
	object, err := t.files.PutObject(ctx, storage.MediaKey, body, storage.PutOptions{Limit: media.MaxSize})
	if fault.Is(err, fault.TooLarge) {
		p.loseFile(kind, "The file is too large.")
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("keeping file %q: %w", sent.ID, err)
	}
	media := &models.Media{
		OrganisationID: number.OrganisationID, PhoneNumberID: number.ID, Object: object.Key.String(), MIMEType: known.Name,
		Size: object.Size, SHA256: object.SHA256, FileName: media.FileName(sent.Filename), ExpiresAt: time.Now().Add(media.Life),
	}
	if media.FileName == "" {
		media.FileName = kind
		if m := mimetype.Lookup(known.Name); m != nil {
			media.FileName += m.Extension()
		}
	}
	return media, nil
}

// loseFile says that a message has no file.
func (p *posted) loseFile(kind, why string) {
	p.set("errors", []callbackError{{
		Code:      refusal.MediaDownload,
		Title:     refusal.Titles[refusal.MediaDownload],
		Message:   refusal.Titles[refusal.MediaDownload],
		ErrorData: map[string]string{"details": why},
	}})
	delete(p.message, kind)
}

// addFile registers the file of a message and puts its id into the message. One that
// exceeds a quota of the organisation is left out.
func (t *Taker) addFile(ctx context.Context, tx pgx.Tx, p *posted, kind string, file models.Media) error {
	var full *fault.Error
	err := db.InTx(ctx, tx, func(tx pgx.Tx) error { return t.files.UseQuota(ctx, tx, file.OrganisationID, file.Size) })
	if full = fault.As(err); full != nil && full.Message == media.QuotaMessage {
		p.loseFile(kind, "The file cannot be kept: "+full.Fields[0].Message+".")
		return nil
	}
	if err != nil {
		return err
	}
	id, err := media.Add(ctx, tx, file)
	if err != nil {
		return err
	}
	var described map[string]any
	if err := json.Unmarshal(p.message[kind], &described); err != nil {
		return fmt.Errorf("reading the file of a message: %w", err)
	}
	delete(described, "url") // it needs the token of the carrier
	described["id"] = strconv.FormatInt(id, 10)
	p.set(kind, described)
	return nil
}

// callback returns a received message as partners get it: as it was posted, with our
// ids.
func (p *posted) callback(product string, number models.PhoneNumber, id string) callback.Body {
	message := maps.Clone(p.message)
	quoted, err := json.Marshal(id)
	if err == nil {
		message["id"] = quoted
	}
	value := map[string]any{
		"messaging_product": product,
		"metadata":          callbackMetadata{DisplayPhoneNumber: number.Number[1:], PhoneNumberID: strconv.FormatInt(number.ID, 10)},
		"messages":          []any{message},
	}
	if p.contact != nil {
		value["contacts"] = []json.RawMessage{p.contact}
	}
	return callback.New(product, number.BusinessAccountID, "messages", value)
}
