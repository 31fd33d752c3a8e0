package writes

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// applicant is a user with an organisation that may be pending: neither was
// active yet. It locks the user, so that what is done for one address happens
// one after another.
const applicant = `
	select u.id as user_id, u.name, u.email, coalesce(u.mobile, '') as mobile, u.password_hash,
		o.id as organisation_id, o.name as organisation_name, o.status as organisation_status, o.sandbox as organisation_sandbox,
		not u.active and o.status = 'inactive' and o.verified_at is null as pending
	from organisation_users u join organisations o on o.id = u.organisation_id
	where `

// applicantRow is a row of applicant.
type applicantRow struct {
	models.Applicant
	OrganisationID      int64
	OrganisationName    string
	OrganisationStatus  string
	OrganisationSandbox bool
}

func getApplicant(ctx context.Context, q db.Querier, where string, arg any) (models.Applicant, error) {
	row, err := collect.OneLax[applicantRow](ctx, q, applicant+where+` for no key update of u`, arg)
	row.Organisation = models.Organisation{
		ID: row.OrganisationID, Name: row.OrganisationName, Status: row.OrganisationStatus, Sandbox: row.OrganisationSandbox,
	}
	return row.Applicant, err
}

// ApplicantGet returns the user of an organisation with an address, and locks
// the row.
func ApplicantGet(ctx context.Context, q db.Querier, email string) (models.Applicant, error) {
	return getApplicant(ctx, q, `u.email = $1`, email)
}

// ApplicantGetByID returns a user of an organisation, and locks the row.
func ApplicantGetByID(ctx context.Context, q db.Querier, userID int64) (models.Applicant, error) {
	return getApplicant(ctx, q, `u.id = $1`, userID)
}

// ApplicantGetByChallenge returns the applicant of a challenge and locks the row.
func ApplicantGetByChallenge(ctx context.Context, q db.Querier, challenge uuid.UUID) (models.Applicant, error) {
	return getApplicant(ctx, q, `u.id = (select user_id from otp_challenges where id = $1)`, challenge)
}

// ApplicantGetActive returns the user with an address who may sign in, and
// locks the row.
func ApplicantGetActive(ctx context.Context, q db.Querier, email string) (models.Applicant, error) {
	return getApplicant(ctx, q, `u.email = $1 and u.active and o.status = 'active'`, email)
}

// ApplicantUpdate replaces the registration of a pending applicant.
func ApplicantUpdate(ctx context.Context, q db.Querier, a models.Applicant) error {
	return collect.Execute(ctx, q, `
		with u as (
			update organisation_users set name = $2, mobile = $3, password_hash = $4, failed_sign_ins = 0, locked_until = null, updated_at = now()
			where id = $1 and not active
			returning organisation_id
		)
		update organisations set name = $5, updated_at = now() where id = (select organisation_id from u)`,
		a.UserID, a.Name, a.Mobile, a.PasswordHash, a.Organisation.Name)
}

// ApplicantListStale returns at most limit organisations with a last registration that is
// older than age and was never verified, and locks their users. It skips those that
// are being verified or registered again.
func ApplicantListStale(ctx context.Context, tx pgx.Tx, age time.Duration, limit int) ([]int64, error) {
	return collect.Values[int64](ctx, tx, `
		select o.id from organisation_users u join organisations o on o.id = u.organisation_id
		where not u.active and o.status = 'inactive' and o.verified_at is null and o.updated_at < now() - $1::interval
		order by o.id limit $2 for update of u skip locked`, age, limit)
}

// OrganisationDelete deletes organisations with all that they have.
func OrganisationDelete(ctx context.Context, q db.Querier, ids []int64) error {
	return collect.Execute(ctx, q, `delete from organisations where id = any($1)`, ids)
}

// ApplicantUpdateVerified activates a pending user and the organisation, and
// returns both. No row comes back when they are not pending any more.
func ApplicantUpdateVerified(ctx context.Context, q db.Querier, userID int64) (models.User, error) {
	return collect.OneLax[models.User](ctx, q, `
		with o as (
			update organisations set status = 'active', verified_at = now(), updated_at = now()
			where id = (select organisation_id from organisation_users where id = $1 and not active)
				and status = 'inactive' and verified_at is null
			returning id, name
		)
		update organisation_users set active = true, updated_at = now() from o
		where organisation_users.id = $1 and organisation_id = o.id
		returning organisation_users.id, email, role, session_version, active, o.id as organisation_id, o.name as organisation`, userID)
}
