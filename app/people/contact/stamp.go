package contact

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
	"time"

	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/db"
	queries "heliograph/db/queries/people"
)

// A stamp is what a form was given when it was shown: a random number, since
// when the person has it, and what was asked of them. It is signed, so that
// nobody can make one, and spent with the enquiry, so that a form is sent once.
type stamp struct {
	nonce [16]byte
	since time.Time // the first form of the person, before it was refused
	shown time.Time // this form
	work  uint8     // bits of the proof of work; 0 asks for none
	asked bool      // the person was asked to send the form again
}

const (
	// formLife is how long a form can be sent. People leave tabs open over lunch.
	formLife = 12 * time.Hour
	// quickest is the shortest time in which a person fills the form in, even with
	// autofill.
	quickest = 3 * time.Second
	// workBits is the difficulty of the proof of work, some 30,000 hashes, less
	// than a second of a telephone.
	workBits = 15
)

const stampPurpose = "contact/stamp"

// Stamps makes the stamps of forms and reads them.
type Stamps struct {
	db       db.Beginner
	keyring  *keyring.Keyring
	settings *setting.Settings
}

// New returns the stamp of a form that is shown for the first time.
func (s *Stamps) New(ctx context.Context) (string, error) {
	now := time.Now()
	return s.create(ctx, stamp{since: now, shown: now})
}

// Next returns the stamp of a form that is shown again after before. asked
// says that the person is asked to send it once more.
func (s *Stamps) Next(ctx context.Context, before string, asked bool) (string, error) {
	next := stamp{since: time.Now(), shown: time.Now(), asked: asked}
	if old, ok := s.open(before); ok {
		next.since = old.since
	}
	return s.create(ctx, next)
}

func (s *Stamps) create(ctx context.Context, st stamp) (string, error) {
	needed, err := s.needsWork(ctx, s.settings, s.db)
	if err != nil {
		return "", err
	}
	if needed {
		st.work = workBits
	}
	return s.sign(st), nil
}

// sign returns a stamp with a number of its own.
func (s *Stamps) sign(st stamp) string {
	rand.Read(st.nonce[:]) //nolint:errcheck // never fails: crypto/rand ends the process instead
	text := base64.RawURLEncoding.EncodeToString(st.bytes())
	return text + "." + s.keyring.Sign(stampPurpose, text)
}

func (st stamp) bytes() []byte {
	b := binary.BigEndian.AppendUint64(st.nonce[:], uint64(st.since.UnixMilli()))
	b = binary.BigEndian.AppendUint64(b, uint64(st.shown.UnixMilli()))
	asked := byte(0)
	if st.asked {
		asked = 1
	}
	return append(b, st.work, asked)
}

// open returns a stamp that this service has signed.
func (s *Stamps) open(text string) (st stamp, ok bool) {
	content, signature, _ := strings.Cut(text, ".")
	raw, err := base64.RawURLEncoding.DecodeString(content)
	if err != nil || len(raw) != 34 || !s.keyring.Verify(signature, stampPurpose, content) {
		return st, false
	}
	copy(st.nonce[:], raw)
	st.since = time.UnixMilli(int64(binary.BigEndian.Uint64(raw[16:])))
	st.shown = time.UnixMilli(int64(binary.BigEndian.Uint64(raw[24:])))
	st.work, st.asked = raw[32], raw[33] == 1
	return st, true
}

// WorkOf returns the bits of the proof of work that a stamp asks for; 0 is none.
func (s *Stamps) WorkOf(text string) int {
	st, _ := s.open(text)
	return int(st.work)
}

// isProven reports whether a proof of work is valid: a number with a SHA-256 that, after
// the stamp and a colon, starts with as many zero bits as the stamp asks for.
func (st stamp) isProven(text, proof string) bool {
	if st.work == 0 {
		return true
	}
	if proof == "" || len(proof) > 20 {
		return false
	}
	sum := sha256.Sum256([]byte(text + ":" + proof))
	return bits.LeadingZeros64(binary.BigEndian.Uint64(sum[:8])) >= int(st.work)
}

// When more than busyMany enquiries came within busyTime, the challenge "busy"
// asks for work.
const (
	busyMany = 20
	busyTime = 10 * time.Minute
)

// needsWork reports whether forms ask for a proof of work now.
func (s *Stamps) needsWork(ctx context.Context, settings *setting.Settings, q db.Querier) (bool, error) {
	v, err := settings.Contact(ctx)
	if err != nil || v.Challenge != "busy" {
		return v.Challenge == "on", err
	}
	recent, err := queries.EnquiryCountSince(ctx, q, time.Now().Add(-busyTime), busyMany+1)
	if err != nil {
		return false, fmt.Errorf("counting enquiries: %w", err)
	}
	return recent > busyMany, nil
}
