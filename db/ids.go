package db

import (
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// sendIDs has a connection send ids as the bytes that they are. Without it pgx writes
// each one as text, fails to send that, and reads it again, which takes a microsecond.
func sendIDs(conn *pgx.Conn) {
	types := conn.TypeMap()
	types.TryWrapEncodePlanFuncs = slices.Insert(slices.Clone(types.TryWrapEncodePlanFuncs), 0, wrapID)
}

func wrapID(value any) (plan pgtype.WrappedEncodePlanNextSetter, next any, ok bool) {
	switch value := value.(type) {
	case uuid.UUID:
		return &idPlan{}, toID(value), true
	case []uuid.UUID:
		return &idListPlan{}, idList(value), true
	}
	return nil, nil, false
}

func toID(id uuid.UUID) pgtype.UUID { return pgtype.UUID{Bytes: id, Valid: true} }

// idPlan sends an id.
type idPlan struct{ next pgtype.EncodePlan }

// SetNext sets the plan that sends the bytes.
func (p *idPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

// Encode appends an id.
func (p *idPlan) Encode(value any, buf []byte) ([]byte, error) {
	return p.next.Encode(toID(value.(uuid.UUID)), buf)
}

// idListPlan sends a list of ids.
type idListPlan struct{ next pgtype.EncodePlan }

// SetNext sets the plan that sends the list.
func (p *idListPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

// Encode appends a list of ids.
func (p *idListPlan) Encode(value any, buf []byte) ([]byte, error) {
	return p.next.Encode(idList(value.([]uuid.UUID)), buf)
}

// idList is a list of ids as pgx reads arrays.
type idList []uuid.UUID

// Dimensions returns the length.
func (l idList) Dimensions() []pgtype.ArrayDimension {
	if l == nil {
		return nil
	}
	return []pgtype.ArrayDimension{{Length: int32(len(l)), LowerBound: 1}}
}

// Index returns an id.
func (l idList) Index(i int) any { return toID(l[i]) }

// IndexType returns an id that tells how all are sent.
func (l idList) IndexType() any { return pgtype.UUID{} }
