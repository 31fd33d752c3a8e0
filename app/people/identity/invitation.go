package identity

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/people/notification"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
	"heliograph/views/email"
)

// invitationLife is how long an invitation can be accepted.
const invitationLife = 3 * 24 * time.Hour

// errInvitationInvalid does not reveal why a link does not work.
var errInvitationInvalid = fault.New(fault.NotFound, "This invitation has expired, was withdrawn or was already used. Ask the person who invited you for a new one.")

// errInvitationClosed is shown to the inviting owner.
var errInvitationClosed = &fault.Error{Kind: fault.NotFound, Title: "This invitation is no longer open", Message: "It was withdrawn or already accepted. See Team for open invitations and colleagues."}

// errAddressTaken is shown only to the holder of the link, who can read the
// emails of the address.
var errAddressTaken = fault.New(fault.Conflict, "This address already belongs to another organisation. Ask for an invitation to a different address.")

// Invite sends an invitation to the organisation of by by email. An address
// belongs to one organisation. If the address already belongs to another one, the
// email says so, but by does not learn about it.
func (t *Team) Invite(ctx context.Context, by *User, email, role string) error {
	var faults fault.Fields
	email, problem := normaliseEmail(email)
	faults.Add("email", problem)
	faults.AddIf(!isOrganisationRole(role), "role", "Choose one of owner, developer and viewer.")
	if err := faults.Err(); err != nil {
		return err
	}
	return db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		colleagues, err := queries.ColleagueList(ctx, tx, by.OrganisationID)
		if err != nil {
			return fmt.Errorf("listing colleagues: %w", err)
		}
		for _, c := range colleagues {
			if c.Email == email {
				return fault.InvalidFields(fault.Field{Name: "email", Message: "This address already belongs to your team."})
			}
		}
		return t.send(ctx, tx, by, models.Invitation{OrganisationID: by.OrganisationID, Organisation: by.Organisation, Email: email, Role: role})
	})
}

// Resend sends an invitation again with a new link and the full validity. The
// earlier link stops working.
func (t *Team) Resend(ctx context.Context, by *User, id int64) error {
	return db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		i, err := queries.InvitationGet(ctx, tx, by.OrganisationID, id)
		if err != nil {
			return db.Absent(err, errInvitationClosed, "reading invitation %d", id)
		}
		return t.send(ctx, tx, by, i)
	})
}

// Withdraw ends an invitation. An email that is still queued is not sent.
func (t *Team) Withdraw(ctx context.Context, by *User, id int64) error {
	return db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		if err := endInvitation(ctx, tx, by.OrganisationID, id); err != nil {
			return err
		}
		if err := t.notifier.Mail.Cancel(ctx, tx, invitationTopic(id)); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Actor(), Action: "invitation.withdraw", Target: invitationTopic(id)})
	})
}

// send stores an invitation with a new token and queues its email.
func (t *Team) send(ctx context.Context, tx pgx.Tx, by *User, i models.Invitation) error {
	token := newSessionID()
	i.ExpiresAt = time.Now().Add(invitationLife)
	id, err := writes.InvitationUpsert(ctx, tx, i, hashID(token))
	if err != nil {
		return fmt.Errorf("storing an invitation: %w", err)
	}
	known, err := queries.ColleagueExists(ctx, tx, i.Email)
	if err != nil {
		return fmt.Errorf("looking an address up: %w", err)
	}
	data := email.TeamInvitation{By: by.Name, Organisation: i.Organisation, Role: i.Role, ExpiresAt: i.ExpiresAt, URL: t.notifier.PublicURL + "/account/invitation?token=" + token}
	message := email.Invitation(data)
	if known {
		message = email.InvitationElsewhere(data)
	}
	err = t.notifier.Mail.SendEmail(ctx, tx, notification.Email{
		To: i.Email, Message: message, Purpose: "invitation", Topic: invitationTopic(id), ExpiresAt: i.ExpiresAt,
	})
	if err != nil {
		return err
	}
	return audit.Record(ctx, tx, audit.Entry{
		Actor: by.Actor(), Action: "invitation.send", Target: invitationTopic(id),
		Details: map[string]any{"organisation": i.OrganisationID, "role": i.Role},
	})
}

// Bounced returns the invitations with a last email that was not delivered.
func (t *Team) Bounced(ctx context.Context, list []models.Invitation) (map[int64]bool, error) {
	topics, bounced := make([]string, len(list)), map[int64]bool{}
	for i, n := range list {
		topics[i] = invitationTopic(n.ID)
	}
	failed, err := queries.NotificationListFailedTopics(ctx, t.db, topics)
	for _, n := range list {
		bounced[n.ID] = slices.Contains(failed, invitationTopic(n.ID))
	}
	return bounced, err
}

// invitationTopic identifies an invitation in the audit and in emails.
func invitationTopic(id int64) string { return fmt.Sprintf("invitation:%d", id) }

// Invitation returns the invitation of a link.
func (t *Team) Invitation(ctx context.Context, token string) (models.Invitation, error) {
	return openInvitation(ctx, t.db, token)
}

func openInvitation(ctx context.Context, q db.Querier, token string) (models.Invitation, error) {
	i, err := queries.InvitationGetByToken(ctx, q, hashID(token))
	if err != nil {
		return i, db.Absent(err, errInvitationInvalid, "looking an invitation up")
	}
	return i, nil
}

// endInvitation deletes an invitation. It returns errInvitationClosed if it is
// already deleted.
func endInvitation(ctx context.Context, tx pgx.Tx, organisationID, id int64) error {
	taken, err := writes.InvitationDelete(ctx, tx, organisationID, id)
	if err != nil {
		return fmt.Errorf("ending invitation %d: %w", id, err)
	}
	if !taken {
		return errInvitationClosed
	}
	return nil
}

// Acceptance is the input of Accept.
type Acceptance struct {
	Token, Name, Password string
	// Mobile is a number with its country code, or empty. It is only validated.
	// It is stored after the user has entered the code sent to it.
	Mobile    string
	UserAgent string
}

// Accept creates the invited user and starts a session.
func (t *Team) Accept(ctx context.Context, a Acceptance) (*Session, error) {
	i, err := t.Invitation(ctx, a.Token)
	if err != nil {
		return nil, err
	}
	u, err := a.newUser(ctx, i)
	if err != nil {
		return nil, err
	}
	var s *Session
	err = db.InTx(ctx, t.db, func(tx pgx.Tx) error {
		if i, err = openInvitation(ctx, tx, a.Token); err != nil { // again, because hashing the password takes time
			return err
		}
		if err := endInvitation(ctx, tx, i.OrganisationID, i.ID); err != nil {
			return err
		}
		id, err := writes.OrganisationUserInsert(ctx, tx, u)
		if db.IsUniqueViolation(err, "organisation_users_email_key") {
			return errAddressTaken
		}
		if err != nil {
			return fmt.Errorf("adding a user: %w", err)
		}
		if err := writes.UserUpdateSignedIn(ctx, tx, string(Account), id); err != nil {
			return fmt.Errorf("noting a sign-in: %w", err)
		}
		if s, err = startSession(ctx, tx, Account, models.User{ID: id, SessionVersion: 1}, a.UserAgent); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: userActor(id), Action: "invitation.accept", Target: invitationTopic(i.ID),
			Details: map[string]any{"organisation": i.OrganisationID, "role": i.Role},
		})
	})
	return s, err
}

// newUser returns the user to create, with the hashed password.
func (a Acceptance) newUser(ctx context.Context, i models.Invitation) (models.OrganisationUser, error) {
	u := models.OrganisationUser{OrganisationID: i.OrganisationID, Name: a.Name, Email: i.Email, Role: i.Role, Active: true}
	var faults fault.Fields
	faults.Add("name", nameProblem(a.Name))
	if a.Mobile != "" {
		_, problem := phone.Parse(a.Mobile, "")
		faults.Add("mobile", problem)
	}
	faults.Add("password", passwordProblem(a.Password, i.Email, a.Name, i.Organisation))
	if err := faults.Err(); err != nil {
		return u, err
	}
	var err error
	u.PasswordHash, err = hashPassword(ctx, a.Password)
	return u, err
}
