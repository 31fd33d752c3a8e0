package models

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// FirstMessageID is below every id of version 7 (RFC 9562) from a time on: ids
// are ordered by it, so that they answer what came since. Ids are drawn a moment
// before the time of their message is taken.
func FirstMessageID(t time.Time) uuid.UUID {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(t.UnixMilli())<<16)
	return id
}
