package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Bots manages the bots of organisations.
type Bots struct {
	owned
	fetcher fetcher // of images
	jobs    args.Inserter
	now     func() time.Time
}

// createdBot is a new bot.
type createdBot struct {
	ID, Name string
	Warnings []fault.Field // what was accepted and could be better
}

// CreateBot adds a bot to an organisation. Its images are fetched and checked
// first.
func (s *Bots) CreateBot(ctx context.Context, by By, in input.Object) (createdBot, error) {
	c := &check{}
	object(botFields, "botName", "botMessageType")(c, "", map[string]any(in))
	if err := c.err(); err != nil {
		return createdBot{}, err
	}
	trimNames(in, "botName", "brandName")
	name := in["botName"].(string)
	if _, err := s.BotID(ctx, by.OrganisationID, name); err == nil {
		return createdBot{}, nameTaken(name)
	}
	images, err := s.fetchImages(ctx, by.OrganisationID, in)
	if err != nil {
		return createdBot{}, err
	}
	profile, err := json.Marshal(in)
	if err != nil {
		return createdBot{}, fmt.Errorf("writing a bot: %w", err)
	}
	b := models.RCSBot{ID: newID(), OrganisationID: by.OrganisationID, Name: name, Profile: profile}
	err = db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		added, err := writes.RCSBotInsert(ctx, tx, b)
		if err != nil {
			return fmt.Errorf("adding a bot: %w", err)
		}
		if !added {
			return nameTaken(name)
		}
		if err := storeImages(ctx, tx, b.ID, images); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Actor, Action: "rcs_bot.create", Target: "rcs_bot:" + b.ID, Details: map[string]any{"name": name}})
	})
	return createdBot{ID: b.ID, Name: name, Warnings: warnings(in)}, err
}

func nameTaken(name string) error {
	return conflict("botName", "duplicate", "Your organisation has a bot named "+name, "must be unique within the organisation")
}

// fetchImages downloads the logo and the banner that a request names.
func (s *Bots) fetchImages(ctx context.Context, organisationID int64, in map[string]any) ([]models.RCSImage, error) {
	var images []models.RCSImage
	var wrong check
	for _, i := range []struct {
		field, name string
		kind        imageKind
	}{{"botLogoImage", "logo", logoImage}, {"botBannerImage", "banner", bannerImage}} {
		address, ok := in[i.field].(string)
		if !ok {
			continue
		}
		image, err := i.kind.fetch(ctx, s.fetcher, fmt.Sprint(organisationID), i.field, address)
		if f := fault.As(err); f != nil {
			wrong.fields = append(wrong.fields, f.Fields...)
			continue
		}
		if err != nil {
			return nil, err
		}
		image.Name = i.name
		images = append(images, image)
	}
	return images, wrong.err()
}

func storeImages(ctx context.Context, tx pgx.Tx, botID string, images []models.RCSImage) error {
	for _, image := range images {
		image.BotID = botID
		if err := writes.RCSImageUpsert(ctx, tx, image); err != nil {
			return fmt.Errorf("storing the %s of bot %s: %w", image.Name, botID, err)
		}
	}
	return nil
}

// UpdateBot changes the fields of a bot that a request names. A rejected bot can
// be submitted again afterwards.
func (s *Bots) UpdateBot(ctx context.Context, by By, id string, in input.Object) error {
	before, err := findBot(ctx, s.pool, by.OrganisationID, id)
	if err != nil {
		return err
	}
	c := &check{}
	all(object(botFields), nonEmpty("must have one field at least"))(c, "", map[string]any(in))
	if err := c.err(); err != nil {
		return err
	}
	trimNames(in, "botName", "brandName")
	if err := checkFrozen(before, in); err != nil {
		return err
	}
	images, err := s.fetchImages(ctx, by.OrganisationID, in)
	if err != nil {
		return err
	}
	err = s.change(ctx, by, id, func(tx pgx.Tx, b *models.RCSBot) (audit.Entry, error) {
		if err := checkFrozen(*b, in); err != nil { // it may have been submitted in the meantime
			return audit.Entry{}, err
		}
		profile, err := readObject(b.Profile)
		if err != nil {
			return audit.Entry{}, err
		}
		maps.Copy(profile, in)
		if b.Profile, err = json.Marshal(profile); err != nil {
			return audit.Entry{}, fmt.Errorf("writing bot %s: %w", id, err)
		}
		b.Name = profile["botName"].(string)
		was := *b
		if lifecycle.Edit.IsAllowed(*b) {
			if err := lifecycle.Edit.Apply(b, ""); err != nil {
				return audit.Entry{}, err
			}
		}
		if err := writes.RCSBotUpdate(ctx, tx, *b); err != nil {
			return audit.Entry{}, err
		}
		if err := storeImages(ctx, tx, id, images); err != nil {
			return audit.Entry{}, err
		}
		return audit.Entry{Action: "rcs_bot.update", Details: map[string]any{"fields": slices.Sorted(maps.Keys(in))}}, relayBot(ctx, tx, s.jobs, was, *b)
	})
	if db.IsUniqueViolation(err, "rcs_bots_organisation_id_name_key") {
		return nameTaken(in["botName"].(string))
	}
	return err
}

// checkFrozen refuses to change what was or is being reviewed. The same value
// again is no change.
func checkFrozen(b models.RCSBot, in map[string]any) error {
	if b.Verification != lifecycle.Verified && b.Verification != lifecycle.Pending {
		return nil
	}
	profile, err := readObject(b.Profile)
	if err != nil {
		return err
	}
	for _, field := range slices.Sorted(maps.Keys(in)) {
		if what := frozen[field]; what != "" && !reflect.DeepEqual(profile[field], in[field]) {
			state := map[string]string{lifecycle.Verified: "verified", lifecycle.Pending: "being reviewed"}[b.Verification]
			when := map[string]string{lifecycle.Verified: "after", lifecycle.Pending: "during"}[b.Verification]
			message := fmt.Sprintf("The bot is %s, so its %s cannot change", state, what)
			return conflict(field, "frozen", message, "cannot change "+when+" verification")
		}
	}
	return nil
}
