package assets

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// Numbers finds phone numbers, their accounts and what else has an id.
type Numbers struct {
	Connections
	request.Names
	pool  *pgxpool.Pool
	known *db.Cache[int64, models.PhoneNumber]
}

// Connections tell which live numbers have a carrier.
type Connections struct {
	routes  *pipeline.Routes // nil allows every number to send
	channel string           // name of the channel in routes
}

// NewConnections returns the connections of a channel by the routes to its carriers.
func NewConnections(routes *pipeline.Routes, channel string) Connections {
	return Connections{routes, channel}
}

// NewNumbers returns the numbers in a database. What it knows of them is kept for a while,
// until listener says that they changed.
func NewNumbers(c Connections, words request.Names, pool *pgxpool.Pool, listener *db.Listener) *Numbers {
	return &Numbers{Connections: c, Names: words, pool: pool, known: db.NewCache[int64, models.PhoneNumber](listener, 30*time.Second, 10_000, "phone_numbers")}
}

// CheckCarrier refuses to send from a live number that no carrier is set up for.
func (c Connections) CheckCarrier(ctx context.Context, number models.PhoneNumber) error {
	if number.Sandbox {
		return nil
	}
	route := pipeline.RouteQuery{Channel: c.channel, Sender: strconv.FormatInt(number.ID, 10), OrganisationID: number.OrganisationID}
	err := c.routes.Check(ctx, route)
	if fault.Is(err, fault.Unavailable) {
		return refusal.New(refusal.Unregistered, "phone_number_id", "number %d is not connected to a carrier yet, so its messages cannot be delivered: contact us (/contact-us on the portal), or use a sandbox number", number.ID)
	}
	return err
}

// Number returns the phone number with the id. An unknown id is NotFound, a
// number of another organisation is Forbidden.
func (s *Numbers) Number(ctx context.Context, organisationID int64, id string) (models.PhoneNumber, error) {
	n, ok := registry.ParseID(id)
	if !ok {
		return models.PhoneNumber{}, refusal.NotFound(id)
	}
	number, err := s.known.Get(ctx, n, func(ctx context.Context, n int64) (models.PhoneNumber, error) {
		return queries.PhoneNumberGet(ctx, s.pool, n)
	})
	switch {
	case db.IsNoRows(err):
		return number, refusal.NotFound(id)
	case err != nil:
		return number, fmt.Errorf("looking a phone number up: %w", err)
	case number.OrganisationID != organisationID:
		return number, refusal.New(refusal.Permission, "phone_number_id", "phone number %s belongs to another organisation", id)
	}
	return number, nil
}

// Kind returns the kind of the asset with the id, as registry.Kind does.
func (s *Numbers) Kind(ctx context.Context, organisationID int64, id string) (string, error) {
	return registry.Kind(ctx, s.pool, organisationID, id)
}

// Numbers lists the phone numbers of an organisation, oldest first.
func (s *Numbers) Numbers(ctx context.Context, organisationID int64) ([]models.PhoneNumber, error) {
	numbers, err := queries.PhoneNumberList(ctx, s.pool, organisationID)
	if err != nil {
		return nil, fmt.Errorf("listing phone numbers: %w", err)
	}
	return numbers, nil
}

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
	err := s.CheckCarrier(ctx, number)
	if f := fault.As(err); f != nil && f.Kind == fault.Invalid {
		return NumberState{PhoneNumber: number}, nil
	}
	state := NumberState{PhoneNumber: number, Connected: true}
	if err != nil || number.Sandbox {
		return state, err
	}
	there, err := queries.UpstreamStateOfNumber(ctx, s.pool, number.ID)
	if err != nil {
		return state, db.Absent(err, nil, "looking number %d up at its carrier", number.ID)
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
		return refusal.New(refusal.Invalid, "pin", "pin must have 6 digits")
	}
	return s.CheckCarrier(ctx, number)
}

// Deregister refuses to disconnect a number: the operator does.
func (s *Numbers) Deregister(number models.PhoneNumber) error {
	return refusal.New(refusal.Permission, "phone_number_id", "number %d was registered by the operator, who alone can disconnect it: contact us (/contact-us on the portal)", number.ID)
}
