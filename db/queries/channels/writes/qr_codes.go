package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// QRCodeInsert adds a code to a number that has fewer than max and reports
// whether it did. A taken code is a unique violation: draw another.
func QRCodeInsert(ctx context.Context, q db.Querier, c models.QRCode, max int) (bool, error) {
	if _, err := q.Exec(ctx, `select from phone_numbers where id = $1 for no key update`, c.PhoneNumberID); err != nil {
		return false, err
	}
	return collect.Changed(ctx, q, `
		insert into qr_codes (code, phone_number_id, message)
		select $1, $2, $3 where (select count(*) from qr_codes where phone_number_id = $2) < $4`, c.Code, c.PhoneNumberID, c.Message, max)
}

// QRCodeUpdate changes the message of a number's code and reports whether the
// number has it.
func QRCodeUpdate(ctx context.Context, q db.Querier, c models.QRCode) (bool, error) {
	return collect.Changed(ctx, q, `update qr_codes set message = $3, updated_at = now() where code = $1 and phone_number_id = $2`, c.Code, c.PhoneNumberID, c.Message)
}

// QRCodeDelete drops a number's code and reports whether it had it.
func QRCodeDelete(ctx context.Context, q db.Querier, phoneNumberID int64, code string) (bool, error) {
	return collect.Changed(ctx, q, `delete from qr_codes where code = $1 and phone_number_id = $2`, code, phoneNumberID)
}
