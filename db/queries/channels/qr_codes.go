package queries

import (
	"context"
	"slices"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// QRCodeGet returns a code, whichever number has it.
func QRCodeGet(ctx context.Context, q db.Querier, code string) (models.QRCode, error) {
	return collect.One[models.QRCode](ctx, q, `select code, phone_number_id, message, position from qr_codes where code = $1`, code)
}

// QRCodeList returns a page of a number's codes, newest first, and one more
// where there is one. The page's keys are positions; code narrows it to one
// when not empty.
func QRCodeList(ctx context.Context, q db.Querier, phoneNumberID int64, code string, p models.Page) ([]models.QRCode, error) {
	order := "desc"
	if p.Before > 0 {
		order = "asc" // the nearest before the key, put in order below
	}
	codes, err := collect.Many[models.QRCode](ctx, q, `
		select code, phone_number_id, message, position from qr_codes
		where phone_number_id = $1 and ($2 = '' or code = $2)
		  and ($3::bigint = 0 or position < $3) and position > $4 order by position `+order+` limit $5`,
		phoneNumberID, code, p.After, p.Before, p.Limit+1)
	if p.Before > 0 {
		slices.Reverse(codes)
	}
	return codes, err
}
