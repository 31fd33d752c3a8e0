package sms

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// maxAddresses is how many addresses and networks an account may be limited to.
const maxAddresses = 50

// SetFlags stores what an organisation may do on the channel. What it sets itself
// stays as it is. by names the administrator.
func (r *Registry) SetFlags(ctx context.Context, by By, flags models.SMSAccount) error {
	var faults fault.Fields
	faults.AddIf(flags.State != StateActive && flags.State != StateInactive && flags.State != StateSuspended && flags.State != StateDeactivated, "state", "Choose a state.")
	faults.AddIf(flags.Class != ClassStandard && flags.Class != ClassOTP, "class", "Choose a class.")
	allowed, ok := readAddresses(flags.AllowedAddresses)
	faults.AddIf(!ok, "addresses", fmt.Sprintf("Enter up to %d addresses or networks, such as 203.0.113.7 or 198.51.100.0/24.", maxAddresses))
	if err := faults.Err(); err != nil {
		return err
	}
	flags.OrganisationID, flags.AllowedAddresses = by.OrganisationID, allowed
	return r.change(ctx, by, "sms_account.flags", flagDetails(flags), func(tx pgx.Tx) error {
		stored, err := queries.SMSAccountGet(ctx, tx, by.OrganisationID)
		if err != nil {
			return fmt.Errorf("reading the SMS account: %w", err)
		}
		flags.EntityID, flags.Reports = stored.EntityID, stored.Reports
		if err := writes.SMSAccountUpsert(ctx, tx, flags); err != nil {
			return fmt.Errorf("storing the SMS account: %w", err)
		}
		return nil
	})
}

func flagDetails(a models.SMSAccount) map[string]any {
	return map[string]any{
		"state": a.State, "class": a.Class, "expires_at": a.ExpiresAt, "api_access": a.APIAccess, "promotional": a.Promotional, "scheduling": a.Scheduling,
		"international": a.International, "auto_unicode": a.AutoUnicode, "wide_reference": a.WideReference, "return_otp": a.ReturnOTP, "addresses": a.AllowedAddresses,
	}
}

// readAddresses returns addresses and networks in their usual form, without empty
// texts.
func readAddresses(texts []string) (addresses []string, ok bool) {
	addresses = []string{}
	for _, text := range texts {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if network, err := netip.ParsePrefix(text); err == nil {
			addresses = append(addresses, network.Masked().String())
		} else if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
			addresses = append(addresses, address.Unmap().String())
		} else {
			return nil, false
		}
	}
	return addresses, len(addresses) <= maxAddresses
}
