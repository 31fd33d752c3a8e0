package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/app/notification"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// invitationLife is how long an invitation can be accepted.
const invitationLife = 3 * 24 * time.Hour

// errNoInvitation says nothing about why a link does not work.
var errNoInvitation = fault.New(fault.NotFound, "This invitation has expired, was withdrawn or is used. Ask whoever invited you to send another.")

// errInvitationOver is for whoever invites.
var errInvitationOver = &fault.Error{Kind: fault.NotFound, Title: "This invitation is not open any more", Message: "It was withdrawn, or accepted already. Team lists the invitations that are open and the colleagues who joined."}

// errTaken is for whoever holds the link, and so reads the address's letters.
var errTaken = fault.New(fault.Conflict, "This address signs in to another organisation already. Ask to be invited at another address.")

// Invite sends a letter that asks somebody into the organisation of by. An
// address belongs to one organisation: whose address is known elsewhere gets a
// letter that says so, and by is not told the difference.
func (t *Team) Invite(ctx context.Context, by *User, email, role string) error {
	var faults []fault.Field
	email, problem := normaliseEmail(email)
	faults = check(faults, "email", problem)
	if !organisationRole(role) {
		faults = check(faults, "role", "Choose one of owner, developer and viewer.")
	}
	if len(faults) > 0 {
		return fault.InvalidFields(faults...)
	}
	return db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		colleagues, err := queries.ColleagueList(ctx, tx, by.OrganisationID)
		if err != nil {
			return fmt.Errorf("listing colleagues: %w", err)
		}
		for _, c := range colleagues {
			if c.Email == email {
				return fault.InvalidFields(fault.Field{Name: "email", Message: "This address belongs to your team already."})
			}
		}
		return t.send(ctx, tx, by, models.Invitation{OrganisationID: by.OrganisationID, Organisation: by.Organisation, Email: email, Role: role})
	})
}

// Resend sends an invitation again, with a new link and as much time as at
// first. The link sent before ends.
func (t *Team) Resend(ctx context.Context, by *User, id int64) error {
	return db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		i, err := queries.InvitationGet(ctx, tx, by.OrganisationID, id)
		if db.IsNoRows(err) {
			return errInvitationOver
		}
		if err != nil {
			return fmt.Errorf("reading invitation %d: %w", id, err)
		}
		return t.send(ctx, tx, by, i)
	})
}

// Withdraw ends an invitation; a letter that still waits is not sent.
func (t *Team) Withdraw(ctx context.Context, by *User, id int64) error {
	return db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		if err := take(ctx, tx, by.OrganisationID, id); err != nil {
			return err
		}
		if err := t.letters.Mail.Cancel(ctx, tx, invitationTopic(id)); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Actor(), Action: "invitation.withdraw", Target: invitationTopic(id)})
	})
}

// send stores an invitation under a new token and queues its letter.
func (t *Team) send(ctx context.Context, tx pgx.Tx, by *User, i models.Invitation) error {
	token := newSessionID()
	i.ExpiresAt = time.Now().Add(invitationLife)
	id, err := queries.InvitationUpsert(ctx, tx, i, hashID(token))
	if err != nil {
		return fmt.Errorf("storing an invitation: %w", err)
	}
	known, err := queries.ColleagueExists(ctx, tx, i.Email)
	if err != nil {
		return fmt.Errorf("looking an address up: %w", err)
	}
	text := fmt.Sprintf("%s invites you to the account of %s as %s.\n\nAccept before %s:\n\n%s/account/invitation?token=%s\n\nThe link works once. If you did not expect it, do nothing.\n",
		by.Name, i.Organisation, i.Role, i.ExpiresAt.UTC().Format("2 January 2006, 15:04 UTC"), t.letters.PublicURL, token)
	if known {
		text = fmt.Sprintf("%s invites you to the account of %s, but this address signs in to another organisation already.\n\nAn address belongs to one organisation. To accept, ask to be invited at another address.\n", by.Name, i.Organisation)
	}
	err = t.letters.Mail.SendEmail(ctx, tx, notification.Email{
		To: i.Email, Subject: "Invitation to " + i.Organisation, Text: text,
		Purpose: "invitation", Topic: invitationTopic(id), ExpiresAt: i.ExpiresAt,
	})
	if err != nil {
		return err
	}
	return audit.Record(ctx, tx, audit.Entry{
		Actor: by.Actor(), Action: "invitation.send", Target: invitationTopic(id),
		Details: map[string]any{"organisation": i.OrganisationID, "role": i.Role},
	})
}

// invitationTopic names an invitation in the audit and among the letters.
func invitationTopic(id int64) string { return fmt.Sprintf("invitation:%d", id) }

// Invitation returns what a link invites to.
func (t *Team) Invitation(ctx context.Context, token string) (models.Invitation, error) {
	return openInvitation(ctx, t.db, token)
}

func openInvitation(ctx context.Context, q db.Querier, token string) (models.Invitation, error) {
	i, err := queries.InvitationGetByToken(ctx, q, hashID(token))
	if db.IsNoRows(err) {
		return i, errNoInvitation
	}
	if err != nil {
		return i, fmt.Errorf("looking an invitation up: %w", err)
	}
	return i, nil
}

// take ends an invitation, once.
func take(ctx context.Context, tx pgx.Tx, organisationID, id int64) error {
	taken, err := queries.InvitationDelete(ctx, tx, organisationID, id)
	if err != nil {
		return fmt.Errorf("ending invitation %d: %w", id, err)
	}
	if !taken {
		return errInvitationOver
	}
	return nil
}

// Acceptance is what somebody who was invited says.
type Acceptance struct {
	Token, Name, Password string
	// Mobile is a number as people write it with its country code, or empty. It
	// is only checked: the user has it once a code is entered.
	Mobile    string
	UserAgent string
}

// Accept makes the user whom a link invited and begins a session.
func (t *Team) Accept(ctx context.Context, a Acceptance) (*Session, error) {
	i, err := t.Invitation(ctx, a.Token)
	if err != nil {
		return nil, err
	}
	u, err := a.user(ctx, i)
	if err != nil {
		return nil, err
	}
	var s *Session
	err = db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		if i, err = openInvitation(ctx, tx, a.Token); err != nil { // it may have ended while the password was hashed
			return err
		}
		if err := take(ctx, tx, i.OrganisationID, i.ID); err != nil {
			return err
		}
		id, err := queries.OrganisationUserInsert(ctx, tx, u)
		if db.IsUniqueViolation(err, "organisation_users_email_key") {
			return errTaken
		}
		if err != nil {
			return fmt.Errorf("adding a user: %w", err)
		}
		if err := queries.UserUpdateSignedIn(ctx, tx, string(Account), id); err != nil {
			return fmt.Errorf("noting a sign-in: %w", err)
		}
		if s, err = begin(ctx, tx, Account, models.User{ID: id, SessionVersion: 1}, a.UserAgent); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: UserActor(id), Action: "invitation.accept", Target: invitationTopic(i.ID),
			Details: map[string]any{"organisation": i.OrganisationID, "role": i.Role},
		})
	})
	return s, err
}

// user is who accepts, with the password hashed.
func (a Acceptance) user(ctx context.Context, i models.Invitation) (models.OrganisationUser, error) {
	u := models.OrganisationUser{OrganisationID: i.OrganisationID, Name: a.Name, Email: i.Email, Role: i.Role, Active: true}
	faults := check(nil, "name", nameProblem(a.Name))
	if a.Mobile != "" {
		_, problem := phone.Parse(a.Mobile, "")
		faults = check(faults, "mobile", problem)
	}
	faults = check(faults, "password", passwordProblem(a.Password, i.Email, a.Name, i.Organisation))
	if len(faults) > 0 {
		return u, fault.InvalidFields(faults...)
	}
	var err error
	u.PasswordHash, err = hashPassword(ctx, a.Password)
	return u, err
}
