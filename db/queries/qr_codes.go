package queries

import (
	"context"
	"slices"

	"heliograph/db"
	"heliograph/db/models"
)

// QRCodeInsert adds a code to a number that has fewer than max and reports
// whether it did. A taken code is a unique violation: draw another.
func QRCodeInsert(ctx context.Context, q db.Querier, c models.QRCode, max int) (bool, error) {
	if _, err := q.Exec(ctx, `select from phone_numbers where id = $1 for no key update`, c.PhoneNumberID); err != nil {
		return false, err
	}
	tag, err := q.Exec(ctx, `
		insert into qr_codes (code, phone_number_id, message)
		select $1, $2, $3 where (select count(*) from qr_codes where phone_number_id = $2) < $4`, c.Code, c.PhoneNumberID, c.Message, max)
	return tag.RowsAffected() == 1, err
}

// QRCodeUpdate changes the message of a number's code and reports whether the
// number has it.
func QRCodeUpdate(ctx context.Context, q db.Querier, c models.QRCode) (bool, error) {
	tag, err := q.Exec(ctx, `update qr_codes set message = $3, updated_at = now() where code = $1 and phone_number_id = $2`, c.Code, c.PhoneNumberID, c.Message)
	return tag.RowsAffected() == 1, err
}

// QRCodeDelete drops a number's code and reports whether it had it.
func QRCodeDelete(ctx context.Context, q db.Querier, phoneNumberID int64, code string) (bool, error) {
	tag, err := q.Exec(ctx, `delete from qr_codes where code = $1 and phone_number_id = $2`, code, phoneNumberID)
	return tag.RowsAffected() == 1, err
}

// QRCodeGet returns a code, whichever number has it.
func QRCodeGet(ctx context.Context, q db.Querier, code string) (models.QRCode, error) {
	return one[models.QRCode](ctx, q, `select code, phone_number_id, message, position from qr_codes where code = $1`, code)
}

// QRCodeList returns a page of a number's codes, newest first, and one more
// where there is one. The page's keys are positions; code narrows it to one
// when not empty.
func QRCodeList(ctx context.Context, q db.Querier, phoneNumberID int64, code string, p models.Page) ([]models.QRCode, error) {
	order := "desc"
	if p.Before > 0 {
		order = "asc" // the nearest before the key, put in order below
	}
	codes, err := many[models.QRCode](ctx, q, `
		select code, phone_number_id, message, position from qr_codes
		where phone_number_id = $1 and ($2 = '' or code = $2)
		  and ($3::bigint = 0 or position < $3) and position > $4 order by position `+order+` limit $5`,
		phoneNumberID, code, p.After, p.Before, p.Limit+1)
	if p.Before > 0 {
		slices.Reverse(codes)
	}
	return codes, err
}
