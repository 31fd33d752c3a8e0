package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/operation/audit"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// Submission is a request to verify a bot. Screens and Brand are files of a form;
// a request in JSON has the addresses of screens in Details.
type Submission struct {
	Details input.Object
	Form    bool
	Screens [][]byte
	Brand   []byte // logo of the brand; nil for none
}

const maxScreens = 10

// SubmitBot puts a complete bot forward for verification and returns its id.
func (s *Bots) SubmitBot(ctx context.Context, by By, in Submission) (string, error) {
	id, err := in.check()
	if err != nil {
		return "", err
	}
	b, err := findBot(ctx, s.pool, by.OrganisationID, id)
	if err != nil {
		return "", err
	}
	if err := checkComplete(b); err != nil {
		return "", err
	}
	images, err := s.screens(ctx, by.OrganisationID, in)
	if err != nil {
		return "", err
	}
	details := maps.Clone(in.Details)
	delete(details, "botId")
	return id, s.change(ctx, by, id, func(tx pgx.Tx, b *models.RCSBot) (e audit.Entry, err error) {
		if err := checkComplete(*b); err != nil {
			return e, err
		}
		was := *b
		if err := lifecycle.Submit.Apply(b, ""); err != nil {
			return e, err
		}
		if b.Submission, err = json.Marshal(details); err != nil {
			return e, fmt.Errorf("writing a submission: %w", err)
		}
		now := s.now()
		b.SubmittedAt = &now
		if err := writes.RCSBotUpdate(ctx, tx, *b); err != nil {
			return e, err
		}
		if err := writes.RCSImageDeleteScreens(ctx, tx, id); err != nil {
			return e, err
		}
		if err := storeImages(ctx, tx, id, images); err != nil {
			return e, err
		}
		return audit.Entry{Action: "rcs_bot.submit"}, relayBot(ctx, tx, s.jobs, was, *b)
	})
}

// check checks the fields of a submission and returns the id of the bot.
func (in Submission) check() (string, error) {
	c := &check{}
	members, required := verificationFields, verificationRequired
	if !in.Form {
		members = members.with(fields{"screenImages": list(1, maxScreens, "pictures", webURL)})
		required = append([]string{"screenImages"}, required...)
	} else if len(in.Screens) == 0 {
		c.add("screenImages", "required", "is missing")
	} else if len(in.Screens) > maxScreens {
		c.add("screenImages", "max_items", "must have at most %d pictures", maxScreens)
	}
	object(members, required...)(c, "", map[string]any(in.Details))
	id, _ := in.Details["botId"].(string)
	return id, c.err()
}

// checkComplete checks that a bot can be submitted, and names what it lacks.
func checkComplete(b models.RCSBot) error {
	if !lifecycle.Submit.IsAllowed(b) {
		return fault.New(fault.Conflict, "The bot is already %s", b.Verification)
	}
	profile, err := readObject(b.Profile)
	if err != nil {
		return err
	}
	c := &check{}
	for _, name := range Missing(profile) {
		c.add(name, "required", "is needed for verification")
	}
	err = c.err()
	if f := fault.As(err); f != nil {
		f.Message = "Complete the bot before you submit it"
	}
	return err
}

// screens reads the images of a submission.
func (s *Bots) screens(ctx context.Context, organisationID int64, in Submission) (images []models.RCSImage, err error) {
	var wrong check
	keep := func(name string, image models.RCSImage, err error) error {
		if f := fault.As(err); f != nil {
			wrong.fields = append(wrong.fields, f.Fields...)
			return nil
		}
		image.Name = name
		images = append(images, image)
		return err
	}
	addresses, _ := in.Details["screenImages"].([]any)
	for i, address := range addresses {
		image, err := screenImage.fetch(ctx, s.fetcher, fmt.Sprint(organisationID), fmt.Sprintf("screenImages[%d]", i), address.(string))
		if err := keep(screenName(i), image, err); err != nil {
			return nil, err
		}
	}
	for i, content := range in.Screens {
		image, err := screenImage.read(fmt.Sprintf("screenImages[%d]", i), content)
		if err := keep(screenName(i), image, err); err != nil {
			return nil, err
		}
	}
	if in.Brand != nil {
		image, err := screenImage.read("brandLogoImage", in.Brand)
		if err := keep("brand", image, err); err != nil {
			return nil, err
		}
	}
	return images, wrong.err()
}

func screenName(i int) string { return fmt.Sprintf("screen-%02d", i+1) }
