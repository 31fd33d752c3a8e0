package identity

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// OpenSession is an open session of a user.
type OpenSession struct {
	// Handle identifies the session in forms. It does not give access to it.
	Handle    string
	UserAgent string
	BeganAt   time.Time
	SeenAt    time.Time // to the minute
	Current   bool      // the session of this request
}

// Sessions lists the open sessions of the user of s, the last used first.
func (d *Directory) Sessions(ctx context.Context, s Session) ([]OpenSession, error) {
	rows, err := queries.SessionListOpen(ctx, d.db, string(s.Surface), s.UserID, sessionIdle)
	if err != nil {
		return nil, fmt.Errorf("listing the sessions of user %d: %w", s.UserID, err)
	}
	list := make([]OpenSession, 0, len(rows))
	for _, row := range rows {
		list = append(list, OpenSession{
			Handle: hex.EncodeToString(row.IDHash), UserAgent: row.UserAgent, BeganAt: row.BeganAt, SeenAt: row.SeenAt,
			Current: bytes.Equal(row.IDHash, hashID(s.ID)),
		})
	}
	return list, nil
}

// EndSession ends one session of the user of s.
func (d *Directory) EndSession(ctx context.Context, s Session, handle string) error {
	hash, _ := hex.DecodeString(handle)
	return db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		ended, err := writes.SessionUpdateRevokedOf(ctx, tx, models.Session{IDHash: hash, Surface: string(s.Surface), UserID: s.UserID})
		if err != nil {
			return fmt.Errorf("ending a session of user %d: %w", s.UserID, err)
		}
		if !ended {
			return fault.New(fault.NotFound, "This session has already ended.")
		}
		return recordSelf(ctx, tx, s.Surface, s.UserID, "end_session")
	})
}

// EndOtherSessions ends every session of the user of s except s.
func (d *Directory) EndOtherSessions(ctx context.Context, s Session) error {
	return db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		_, err := writes.SessionUpdateRevokedOthers(ctx, tx, models.Session{IDHash: hashID(s.ID), Surface: string(s.Surface), UserID: s.UserID})
		if err != nil {
			return fmt.Errorf("ending the sessions of user %d: %w", s.UserID, err)
		}
		return recordSelf(ctx, tx, s.Surface, s.UserID, "end_other_sessions")
	})
}
