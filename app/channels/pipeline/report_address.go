package pipeline

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// ReportPrefix is the start of the addresses that carriers report to.
const ReportPrefix = "/carriers"

// EventsPath returns the path that a carrier posts the events of a channel to.
func EventsPath(carrier, channel string) string {
	return strings.Join([]string{ReportPrefix, carrier, channel, "events"}, "/")
}

// ParseEventsPath returns the carrier of a path of EventsPath.
func ParseEventsPath(path, channel string) (carrier string, ok bool) {
	rest, ok := strings.CutPrefix(path, ReportPrefix+"/")
	carrier, last, found := strings.Cut(rest, "/")
	return carrier, ok && found && last == channel+"/events"
}

const reportPurpose = "carrier_report"

// ReportAddress names a part that was handed to a carrier: the part's id as the
// carrier got it, and the signature that makes the address unguessable.
type ReportAddress struct {
	Carrier, Channel, ID string
	Signature            string
}

// NewReportAddress returns the signed address that a carrier reports a part to.
func NewReportAddress(k *keyring.Keyring, carrier, channel, id string) ReportAddress {
	signature := base64.RawURLEncoding.EncodeToString([]byte(k.Sign(reportPurpose, carrier, channel, id)))
	return ReportAddress{carrier, channel, id, signature}
}

// Path returns the path of the address.
func (a ReportAddress) Path() string {
	return strings.Join([]string{ReportPrefix, a.Carrier, a.Channel, a.ID, a.Signature}, "/")
}

const (
	inboundPurpose = "carrier_inbound"
	inboundID      = "inbound" // in place of the id of a part
)

// NewInboundAddress returns the signed address to which a carrier passes on the
// messages that people send, after so many renewals of it.
func NewInboundAddress(k *keyring.Keyring, carrier, channel string, renewals int) ReportAddress {
	signature := base64.RawURLEncoding.EncodeToString([]byte(k.Sign(inboundPurpose, inboundParts(carrier, channel, renewals)...)))
	return ReportAddress{carrier, channel, inboundID, signature}
}

// inboundParts returns what the signature of an inbound address covers.
func inboundParts(carrier, channel string, renewals int) []string {
	if renewals == 0 {
		return []string{carrier, channel}
	}
	return []string{carrier, channel, strconv.Itoa(renewals)}
}

// Inbound reports whether the address takes messages that people send, and no
// reports.
func (a ReportAddress) Inbound() bool { return a.ID == inboundID }

// ParseReportPath returns the address with a path.
func ParseReportPath(path string) (a ReportAddress, ok bool) {
	rest, ok := strings.CutPrefix(path, ReportPrefix+"/")
	parts := strings.Split(rest, "/")
	if !ok || len(parts) != 4 {
		return a, false
	}
	return ReportAddress{parts[0], parts[1], parts[2], parts[3]}, true
}

// CarrierReport is what a carrier reports about a part.
type CarrierReport struct {
	State   string
	Failure *Failure
	// Untaken is the hand-over, counted from 1, of a part that went no further than
	// the carrier itself, for a reason that passes. The part is handed over again. 0
	// for all other reports.
	Untaken int
}

// Receiver takes the reports of carriers.
type Receiver struct {
	DB       db.Beginner
	Keyring  *keyring.Keyring
	Jobs     args.Inserter
	Channels Channels
	Signals  *db.Signals // may be nil
}

// Receive moves the part of an address. A report that is repeated, late or of no
// consequence changes nothing. An address that was not signed here is NotFound.
func (r *Receiver) Receive(ctx context.Context, a ReportAddress, values map[string]string) error {
	channel := r.Channels[a.Channel]
	signature, err := base64.RawURLEncoding.DecodeString(a.Signature)
	if err != nil || channel == nil || !r.Keyring.Verify(string(signature), reportPurpose, a.Carrier, a.Channel, a.ID) {
		return errNoReportAddress
	}
	if channel.ReadReport == nil {
		return errNoReportAddress
	}
	report, ok := channel.ReadReport(values)
	if !ok {
		return nil
	}
	step := Step{State: report.State, Failure: report.Failure, At: time.Now()}
	if step.MessageID, step.Part, ok = channel.parsePartID(a.ID); !ok {
		return errNoReportAddress
	}
	var organisation int64
	err = db.InTx(ctx, r.DB, func(tx pgx.Tx) error {
		m, err := queries.MessageGet(ctx, tx, step.MessageID)
		if err != nil {
			return db.Absent(err, errNoReportAddress, "reading message %s", step.MessageID)
		}
		if step.Leg = m.LegOf(a.Channel); step.Leg == 0 {
			return errNoReportAddress
		}
		carriages, err := queries.CarriageListOf(ctx, tx, step.MessageID, step.Leg)
		if err != nil {
			return fmt.Errorf("reading the parts of message %s: %w", step.MessageID, err)
		}
		if report.Untaken > 0 {
			return r.carryAgain(ctx, tx, step, report.Untaken)
		}
		if len(carriages) == 0 {
			step.Part = 0 // the message's row is enough
		}
		moved, err := r.Channels.Report(ctx, tx, r.Jobs, step)
		if len(moved) > 0 {
			organisation = moved[0].OrganisationID
		}
		return err
	})
	if err == nil && organisation != 0 {
		r.Signals.Add("messages", organisation)
	}
	return err
}

// carryAgain has a part handed over once more that no operator got. A job does
// it once the answer to that hand-over is stored, which the report may have overtaken.
func (r *Receiver) carryAgain(ctx context.Context, tx pgx.Tx, s Step, handOver int) error {
	job := args.CarryAgain{MessageID: s.MessageID, Leg: s.Leg, Part: s.Part, HandOver: handOver}
	if _, err := r.Jobs.InsertTx(ctx, tx, job, nil); err != nil {
		return fmt.Errorf("inserting the job that hands message %s over again: %w", s.MessageID, err)
	}
	return nil
}

// ReceiveMessage stores a message that a carrier passes on. An address that was not
// signed here is NotFound.
func (r *Receiver) ReceiveMessage(ctx context.Context, a ReportAddress, fields map[string]string) error {
	channel := r.Channels[a.Channel]
	signature, err := base64.RawURLEncoding.DecodeString(a.Signature)
	if err != nil || channel == nil || channel.Receive == nil {
		return errNoReportAddress
	}
	renewals, err := queries.CarrierInboundRenewals(ctx, r.DB, a.Carrier)
	if err != nil {
		return fmt.Errorf("reading the inbound address of carrier %s: %w", a.Carrier, err)
	}
	if !r.Keyring.Verify(string(signature), inboundPurpose, inboundParts(a.Carrier, a.Channel, renewals)...) {
		return errNoReportAddress
	}
	var organisation int64
	err = db.InTx(ctx, r.DB, func(tx pgx.Tx) error {
		organisation, err = channel.Receive(ctx, tx, r.Jobs, a.Carrier, fields)
		return err
	})
	if err == nil && organisation != 0 {
		r.Signals.Add("messages", organisation)
	}
	return err
}

var errNoReportAddress = fault.New(fault.NotFound, "No message is reported at this address.")

// PartID returns the id of a part as carriers get it.
func (c *Channel) PartID(message uuid.UUID, part int) string {
	id := c.MessageID(message)
	if part > 1 {
		id = fmt.Sprintf("%s.%d", id, part)
	}
	return id
}

// parsePartID parses the result of PartID.
func (c *Channel) parsePartID(text string) (message uuid.UUID, part int, ok bool) {
	if message, ok = c.ParseMessageID(text); ok {
		return message, 1, true
	}
	dot := strings.LastIndexByte(text, '.')
	if dot < 0 {
		return message, 0, false
	}
	part, err := strconv.Atoi(text[dot+1:])
	if message, ok = c.ParseMessageID(text[:dot]); err != nil || part < 2 {
		return message, 0, false
	}
	return message, part, ok
}
