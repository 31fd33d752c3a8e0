package sms

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// maxNumbers is how many numbers an organisation may receive SMS at.
const maxNumbers = 100

// receiving matches a number that receives SMS: a short code, or digits with the
// country code.
var receiving = regexp.MustCompile(`^[0-9]{3,15}$`)

// Numbers lists the numbers at which an organisation receives SMS.
func (r *Registry) Numbers(ctx context.Context, organisationID int64) ([]string, error) {
	list, err := queries.SMSNumberList(ctx, r.db, organisationID)
	if err != nil {
		return nil, fmt.Errorf("listing the numbers of %d: %w", organisationID, err)
	}
	numbers := make([]string, len(list))
	for i, n := range list {
		numbers[i] = n.Number
	}
	return numbers, nil
}

// SetNumbers stores all numbers at which an organisation receives SMS. A number
// belongs to one organisation only.
func (r *Registry) SetNumbers(ctx context.Context, by By, numbers []string) error {
	wanted := []string{}
	for _, number := range numbers {
		number = strings.NewReplacer(" ", "", "-", "").Replace(strings.TrimPrefix(strings.TrimSpace(number), "+"))
		if number == "" || slices.Contains(wanted, number) {
			continue
		}
		if wanted = append(wanted, number); !receiving.MatchString(number) || len(wanted) > maxNumbers {
			return wrongNumbers(fmt.Sprintf("Enter up to %d short codes or numbers with their country code, such as 56767 or +919812345678.", maxNumbers))
		}
	}
	return r.change(ctx, by, "sms_numbers.set", map[string]any{"numbers": wanted}, func(tx pgx.Tx) error {
		stored, err := queries.SMSNumberList(ctx, tx, by.OrganisationID)
		if err != nil {
			return fmt.Errorf("listing the numbers of %d: %w", by.OrganisationID, err)
		}
		for _, n := range stored {
			if slices.Contains(wanted, n.Number) {
				continue
			}
			if _, err := writes.SMSNumberDelete(ctx, tx, n); err != nil {
				return fmt.Errorf("removing number %s: %w", n.Number, err)
			}
		}
		for _, number := range wanted {
			if slices.ContainsFunc(stored, func(n models.SMSNumber) bool { return n.Number == number }) {
				continue
			}
			if err := isFree(ctx, tx, by.OrganisationID, number); err != nil {
				return err
			}
			free, err := writes.SMSNumberInsert(ctx, tx, models.SMSNumber{Number: number, OrganisationID: by.OrganisationID})
			if err != nil {
				return fmt.Errorf("adding number %s: %w", number, err)
			}
			if !free {
				return wrongNumbers(number + " belongs to another organisation.")
			}
		}
		return nil
	})
}

// isFree checks that a number is neither a header nor a look-alike of a number of
// another organisation, which would lose the replies to it.
func isFree(ctx context.Context, tx pgx.Tx, organisationID int64, number string) error {
	if err := writes.SMSAddressLock(ctx, tx, number); err != nil {
		return fmt.Errorf("locking number %s: %w", number, err)
	}
	owner, err := queries.SMSHeaderOther(ctx, tx, organisationID, number)
	if err != nil {
		return fmt.Errorf("looking for the owner of header %s: %w", number, err)
	}
	if owner != 0 {
		return wrongNumbers(number + " is the SMS header of another organisation.")
	}
	if owner, err = queries.SMSNumberOther(ctx, tx, organisationID, number); err != nil {
		return fmt.Errorf("looking for the owner of number %s: %w", number, err)
	}
	if owner != 0 {
		return wrongNumbers(number + " belongs to another organisation.")
	}
	return nil
}

func wrongNumbers(message string) error {
	return fault.InvalidFields(fault.Field{Name: "numbers", Message: message})
}
