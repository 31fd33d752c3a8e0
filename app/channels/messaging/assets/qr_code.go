package assets

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/skip2/go-qrcode"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// QRCodes manages codes that start a conversation when they are scanned.
type QRCodes struct {
	pool  *pgxpool.Pool
	store storage.Store
	jobs  args.Inserter
	base  string // scheme and host of links
}

// NewQRCodes returns the codes in a database, with links below base.
func NewQRCodes(pool *pgxpool.Pool, store storage.Store, jobs args.Inserter, base string) *QRCodes {
	return &QRCodes{pool: pool, store: store, jobs: jobs, base: base}
}

// A QR code contains a short link, not the message, so that a printed code opens
// the chat with the current message. Its images are drawn once and kept in
// storage.

const (
	maxQRCodes   = 2000 // of one number
	maxPrefilled = 140  // characters
	qrPixels     = 512  // width and height of the PNG
)

var qrCodePattern = regexp.MustCompile(`^[A-Z0-9]{14}$`)

// QRLink returns the short link that a code contains.
func (s *QRCodes) QRLink(code string) string { return s.base + "/message/" + code }

// QRImageURL returns the URL of an image of a code. format is png or svg.
func (s *QRCodes) QRImageURL(code, format string) string {
	return s.base + "/qr/" + code + "." + format
}

// SaveQRCode changes the message of a code, or creates a new code if c.Code is
// empty, in the transaction.
func (s *QRCodes) SaveQRCode(ctx context.Context, tx pgx.Tx, c models.QRCode) (models.QRCode, error) {
	if n := utf8.RuneCountInString(c.Message); n < 1 || n > maxPrefilled {
		return c, refusal.New(refusal.Invalid, "prefilled_message", "prefilled_message must have 1 to %d characters", maxPrefilled)
	}
	if c.Code != "" {
		found, err := writes.QRCodeUpdate(ctx, tx, c)
		if err != nil {
			return c, fmt.Errorf("changing a QR code: %w", err)
		}
		if !found {
			return c, MissingQRCode(c.Code)
		}
		return c, registry.Change(ctx, tx, s.jobs, registry.QRCode, c.PhoneNumberID, c.Code)
	}
	err := registry.InsertUnique("qr_codes_pkey", func() error {
		c.Code = newQRCode()
		return db.InTx(ctx, tx, func(tx pgx.Tx) error {
			added, err := writes.QRCodeInsert(ctx, tx, c, maxQRCodes)
			if err == nil && !added {
				return refusal.New(refusal.Invalid, "", "a number can have %d QR codes: update one of them instead", maxQRCodes)
			}
			return err
		})
	})
	if err != nil {
		return c, err
	}
	if err := registry.Change(ctx, tx, s.jobs, registry.QRCode, c.PhoneNumberID, c.Code); err != nil {
		return c, err
	}
	return c, s.drawQRCode(ctx, c.Code)
}

// newQRCode returns 13 random base32 characters (RFC 4648) and a 1, the format
// of the Cloud API.
func newQRCode() string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	drawn := make([]byte, 13)
	rand.Read(drawn)
	for i, b := range drawn {
		drawn[i] = alphabet[b%32]
	}
	return string(drawn) + "1"
}

func (s *QRCodes) drawQRCode(ctx context.Context, code string) error {
	qr, err := qrcode.New(s.QRLink(code), qrcode.Medium)
	if err != nil {
		return fmt.Errorf("drawing QR code %s: %w", code, err)
	}
	image, err := qr.PNG(qrPixels)
	if err != nil {
		return fmt.Errorf("drawing QR code %s: %w", code, err)
	}
	for format, data := range map[string][]byte{"png": image, "svg": svg(qr.Bitmap())} {
		options := storage.PutOptions{ContentType: qrTypes[format], Size: int64(len(data))}
		if _, err := s.store.Put(ctx, qrKey(code, format), bytes.NewReader(data), options); err != nil {
			return fmt.Errorf("storing QR code %s: %w", code, err)
		}
	}
	return nil
}

var qrTypes = map[string]string{"png": "image/png", "svg": "image/svg+xml"}

func qrKey(code, format string) storage.Key {
	return storage.QRCodeKey(strings.ToLower(code) + "-" + format)
}

// svg draws a bitmap as one path of horizontal runs. True is dark.
func svg(bitmap [][]bool) []byte {
	var b bytes.Buffer
	side := len(bitmap)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, side, side, side, side)
	for y, row := range bitmap {
		for x := 0; x < side; x++ {
			start := x
			for x < side && row[x] {
				x++
			}
			if x > start {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", start, y, x-start, x-start)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.Bytes()
}

// QRCodes lists the codes of a number, newest first. If code is not empty, the
// list contains only that one. It returns one more than the page size if there
// are more.
func (s *QRCodes) QRCodes(ctx context.Context, number models.PhoneNumber, code string, p models.Page) ([]models.QRCode, error) {
	if code != "" && !qrCodePattern.MatchString(code) {
		return nil, nil
	}
	codes, err := queries.QRCodeList(ctx, s.pool, number.ID, code, p)
	if err != nil {
		return nil, fmt.Errorf("listing the QR codes of %d: %w", number.ID, err)
	}
	return codes, nil
}

// DeleteQRCode deletes a code of a number and its images. Its link no longer
// works.
func (s *QRCodes) DeleteQRCode(ctx context.Context, number models.PhoneNumber, code string) error {
	if !qrCodePattern.MatchString(code) {
		return MissingQRCode(code)
	}
	err := db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		found, err := writes.QRCodeDelete(ctx, tx, number.ID, code)
		if err != nil {
			return fmt.Errorf("deleting a QR code: %w", err)
		}
		if !found {
			return MissingQRCode(code)
		}
		return registry.Change(ctx, tx, s.jobs, registry.QRCode, number.ID, code)
	})
	if err != nil {
		return err
	}
	for format := range qrTypes {
		if err := s.store.Delete(ctx, qrKey(code, format)); err != nil {
			return fmt.Errorf("deleting the image of QR code %s: %w", code, err)
		}
	}
	return nil
}

// QRImage opens the stored image of a code. The caller closes it.
func (s *QRCodes) QRImage(ctx context.Context, code, format string) (*storage.File, error) {
	if !qrCodePattern.MatchString(code) || qrTypes[format] == "" {
		return nil, fault.New(fault.NotFound, "This QR code does not exist.")
	}
	return storage.Open(ctx, s.store, qrKey(code, format))
}

// scannedCode is shown to a visitor who opens the link of a code.
type scannedCode struct {
	Name    string // of the business
	Number  string // E.164
	Message string
}

// Scan returns the business and the message of a code.
func (s *QRCodes) Scan(ctx context.Context, code string) (scannedCode, error) {
	unknown := fault.New(fault.NotFound, "This QR code is no longer valid. Ask the business for a new one.")
	if !qrCodePattern.MatchString(code) {
		return scannedCode{}, unknown
	}
	c, err := queries.QRCodeGet(ctx, s.pool, code)
	if err != nil {
		return scannedCode{}, db.Absent(err, unknown, "reading QR code %s", code)
	}
	number, err := queries.PhoneNumberGet(ctx, s.pool, c.PhoneNumberID)
	if err != nil {
		return scannedCode{}, db.Absent(err, unknown, "reading phone number %d", c.PhoneNumberID) // the number was removed
	}
	return scannedCode{number.VerifiedName, number.Number, c.Message}, nil
}

// MissingQRCode returns the NotFound error for a code that the number does not
// have.
func MissingQRCode(code string) error {
	if !qrCodePattern.MatchString(code) {
		code = "with this name"
	}
	return &fault.Error{Kind: fault.NotFound, Code: strconv.Itoa(refusal.Object), Message: "QR code " + code + " does not exist",
		Fields: []fault.Field{{Message: "list the QR codes of this number, or omit code to create one"}}}
}
