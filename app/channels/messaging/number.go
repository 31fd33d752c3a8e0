package messaging

import (
	"context"
	"fmt"
	"regexp"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/delivery"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// Numbers finds phone numbers, their accounts and what else has an id.
type Numbers struct {
	connections
	names
	pool  *pgxpool.Pool
	known *db.Cache[int64, models.PhoneNumber]
}

// connections tell which live numbers have a carrier.
type connections struct{ routes *delivery.Routes }

// NumberState is a phone number and whether it can send.
type NumberState struct {
	models.PhoneNumber
	Connected bool
	// State and Quality are in the words of the upstream that the number lives at, empty
	// for other numbers.
	State, Quality string
}

// NumberState returns a number with its state.
func (s *Numbers) NumberState(ctx context.Context, number models.PhoneNumber) (NumberState, error) {
	err := s.checkCarrier(ctx, number)
	if f := fault.As(err); f != nil && f.Kind == fault.Invalid {
		return NumberState{PhoneNumber: number}, nil
	}
	state := NumberState{PhoneNumber: number, Connected: true}
	if err != nil || number.Sandbox {
		return state, err
	}
	there, err := queries.UpstreamStateOfNumber(ctx, s.pool, number.ID)
	if db.IsNoRows(err) {
		return state, nil
	}
	if err != nil {
		return state, fmt.Errorf("looking number %d up at its carrier: %w", number.ID, err)
	}
	state.State, state.Quality = there.State, there.Quality
	if there.State == "" && there.Problem != "" { // the upstream does not answer for it, because of a revoked token for instance
		state.Connected = false
	}
	return state, nil
}

// AccountNumbers lists the numbers of a business account. It returns one more than the
// page size if there are more.
func (s *Numbers) AccountNumbers(ctx context.Context, account models.BusinessAccount, p models.Page) ([]NumberState, error) {
	numbers, err := queries.PhoneNumberListOfAccount(ctx, s.pool, account.ID, p)
	if err != nil {
		return nil, fmt.Errorf("listing the numbers of account %d: %w", account.ID, err)
	}
	states := make([]NumberState, len(numbers))
	for i, number := range numbers {
		if states[i], err = s.NumberState(ctx, number); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// pinPattern matches the PIN of a number.
var pinPattern = regexp.MustCompile(`^[0-9]{6}$`)

// Register checks a request to register a number. A number is registered when the
// operator connects it to a carrier, so that nothing changes; one without a carrier is
// refused. The PIN is not stored.
func (s *Numbers) Register(ctx context.Context, number models.PhoneNumber, product, pin input.Text) error {
	if err := s.CheckProduct(&product); err != nil {
		return err
	}
	if !pinPattern.MatchString(string(pin)) {
		return reject(codeInvalid, "pin", "pin must have 6 digits")
	}
	return s.checkCarrier(ctx, number)
}

// Deregister refuses to disconnect a number: the operator does.
func (s *Numbers) Deregister(number models.PhoneNumber) error {
	return reject(codePermission, "phone_number_id", "number %d was registered by the operator, who alone can disconnect it: contact us (/contact-us on the portal)", number.ID)
}
