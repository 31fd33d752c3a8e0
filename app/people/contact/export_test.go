package contact

import (
	"time"

	"github.com/google/uuid"
)

// StampAt returns a stamp of a form of the past.
func (s *Service) StampAt(since, shown time.Time, work uint8, asked bool) string {
	return s.Stamps.sign(stamp{since: since, shown: shown, work: work, asked: asked})
}

// ConfirmToken returns the token of the link that confirms an enquiry.
func (s *Service) ConfirmToken(id uuid.UUID) string { return s.confirmToken(id) }

// ClientHash returns the hash of an address on a day.
func (s *Service) ClientHash(client string, day time.Time) []byte { return s.clientHash(client, day) }
