package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/db"
)

// organisation holds what a user needs for a new organisation. Its secrets
// are shown once.
type organisation struct {
	ID                string `json:"id,omitempty"`
	Email             string `json:"email"`
	Password          string `json:"password"`
	Mobile            string `json:"mobile,omitempty"`
	APIKey            string `json:"api_key"`
	BusinessID        string `json:"business_id"`
	BusinessAccountID string `json:"business_account_id"`
	PhoneNumberID     string `json:"phone_number_id"`
	PhoneNumber       string `json:"phone_number"`
	CatalogueID       string `json:"catalog_id"`
	WebhookSecret     string `json:"webhook_secret"`
	SMSHeader         string `json:"sms_header"`
	DLTEntityID       string `json:"dlt_entity_id"`
	DLTTemplateID     string `json:"dlt_template_id"`
	SMSText           string `json:"sms_text"`
	SMSStoredTextID   string `json:"sms_stored_text_id"`
	RCSBotID          string `json:"rcs_bot_id"`
	RCSDraftBotID     string `json:"rcs_draft_bot_id"`
	RCSDevice         string `json:"rcs_device"`
}

// runOrg is the commands org create, add-account, add-number, add-catalogue and
// assets.
func runOrg(ctx context.Context, t terminal, args []string) error {
	if len(args) > 0 && args[0] != "create" && slices.Contains(orgActions, args[0]) {
		return runOrgAssets(ctx, t, args[0], args)
	}
	flags := newFlags(t, "org create")
	var n identity.NewOrganisation
	flags.StringVar(&n.Name, "name", "", "`name` of the organisation")
	flags.StringVar(&n.Owner.Email, "email", "", "`address` that its owner signs in with")
	flags.StringVar(&n.Owner.Name, "owner", "", "`name` of its owner")
	flags.StringVar(&n.Owner.Mobile, "mobile", "", "the owner's `number` in E.164, for one-time passwords")
	flags.BoolVar(&n.Sandbox, "sandbox", false, "for trying: nothing that it sends leaves the virtual carrier")
	given := flags.Bool("password-stdin", false, "read the owner's password from the standard input (default: make one and print it)")
	data := dataFlag(flags)
	if err := parseAction(flags, "create", args); err != nil {
		return err
	}
	var err error
	if n.Owner.Password, err = password(t.in, *given); err != nil {
		return err
	}
	return t.withPlatform(ctx, *data, "org", func(p *platform) error {
		var made organisation
		err = db.InTx(ctx, p.pool, func(tx pgx.Tx) (err error) {
			made, err = createOrganisation(ctx, tx, p.keyring, n)
			return err
		})
		if err != nil {
			return asFlags(err)
		}
		fmt.Fprintf(t.out, "%s is ready, and its owner signs in at %s/login. What follows is shown this once.\n\n", n.Name, p.config.PublicURL)
		made.print(t.out)
		return nil
	})
}

// createOrganisation adds an organisation with an owner and an API key for every
// channel. A sandbox also gets a business, a number and a catalogue. The numbers
// of other organisations are real ones, so they are not made up.
func createOrganisation(ctx context.Context, tx pgx.Tx, k *keyring.Keyring, n identity.NewOrganisation) (organisation, error) {
	directory := identity.New(tx, identity.Notifier{})
	id, err := directory.CreateOrganisation(ctx, n, operator)
	if err != nil {
		return organisation{}, err
	}
	key, err := directory.CreateKey(ctx, id, identity.KeyRequest{Name: "First key", Channels: []string{"messaging", "sms", "rcs"}}, operator)
	if err != nil {
		return organisation{}, err
	}
	made := organisation{ID: strconv.FormatInt(id, 10), Email: n.Owner.Email, Password: n.Owner.Password, Mobile: n.Owner.Mobile, APIKey: key}
	if !n.Sandbox {
		return made, nil
	}
	s, err := messaging.Provision(ctx, tx, k, id, n.Name)
	if err != nil {
		return organisation{}, err
	}
	made.BusinessID, made.BusinessAccountID = fmt.Sprint(s.BusinessID), fmt.Sprint(s.BusinessAccountID)
	made.PhoneNumberID, made.PhoneNumber = fmt.Sprint(s.PhoneNumberID), s.PhoneNumber
	made.CatalogueID, made.WebhookSecret = fmt.Sprint(s.CatalogueID), s.WebhookSecret
	if err := made.provisionSMS(ctx, tx, k, id); err != nil {
		return organisation{}, err
	}
	return made, made.provisionRCS(ctx, tx, id)
}

// provisionRCS adds what the organisation tries RCS with.
func (o *organisation) provisionRCS(ctx context.Context, tx pgx.Tx, id int64) error {
	s, err := rcs.Provision(ctx, tx, id)
	o.RCSBotID, o.RCSDraftBotID, o.RCSDevice = s.BotID, s.DraftBotID, s.Device
	return err
}

// provisionSMS adds what the organisation tries SMS with.
func (o *organisation) provisionSMS(ctx context.Context, tx pgx.Tx, k *keyring.Keyring, id int64) error {
	s, err := sms.Provision(ctx, tx, k, id)
	o.SMSHeader, o.DLTEntityID, o.DLTTemplateID, o.SMSText = s.Header, s.EntityID, s.TemplateID, s.Text
	o.SMSStoredTextID = fmt.Sprint(s.StoredTextID)
	return err
}

// provision gives a registered organisation its sandbox: what it tries each channel
// with.
func (p *platform) provision(ctx context.Context, tx pgx.Tx, organisationID int64, name string) error {
	if _, err := messaging.Provision(ctx, tx, p.keyring, organisationID, name); err != nil {
		return err
	}
	if _, err := sms.Provision(ctx, tx, p.keyring, organisationID); err != nil {
		return err
	}
	_, err := rcs.Provision(ctx, tx, organisationID)
	return err
}

func (o organisation) print(w io.Writer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"Organisation id", o.ID}, {"Owner", o.Email}, {"Password", o.Password}, {"Mobile number", o.Mobile}, {"API key", o.APIKey},
		{"Phone number", o.PhoneNumber}, {"Phone number id", o.PhoneNumberID}, {"Business id", o.BusinessID},
		{"Business account id", o.BusinessAccountID}, {"Catalogue id", o.CatalogueID}, {"Webhook secret of the number", o.WebhookSecret},
		{"SMS header", o.SMSHeader}, {"DLT entity id", o.DLTEntityID}, {"DLT template id", o.DLTTemplateID}, {"SMS text", o.SMSText}, {"SMS stored text id", o.SMSStoredTextID},
		{"RCS bot id", o.RCSBotID}, {"RCS bot that is not launched", o.RCSDraftBotID}, {"RCS test device", o.RCSDevice},
	} {
		if row[1] != "" {
			fmt.Fprintf(table, "  %s\t%s\n", row[0], row[1])
		}
	}
	table.Flush()
}
