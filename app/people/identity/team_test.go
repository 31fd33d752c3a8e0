package identity

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"heliograph/app/fault"
	"heliograph/db/dbtest"
)

// Owners who remove, demote and deactivate each other at the same moment never
// leave an organisation without one.
func TestOneOwnerIsLeft(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	const owners = 8
	organisation, err := New(pool, Notifier{}).CreateOrganisation(t.Context(), NewOrganisation{
		Name: "Lighthouse", Owner: NewOwner{Name: "Asha", Email: "asha@example.com", Password: goodPassword},
	}, "system")
	if err != nil {
		t.Fatal(err)
	}
	for i := range owners - 1 {
		exec(t, pool, `insert into organisation_users (organisation_id, email, password_hash, role, active) values ($1, $2, '', 'owner', true)`, organisation, fmt.Sprintf("owner%d@example.com", i))
	}
	var ids []int64
	if err := pool.QueryRow(t.Context(), `select array_agg(id order by id) from organisation_users`).Scan(&ids); err != nil {
		t.Fatal(err)
	}
	team := NewTeam(pool, Notifier{&mailbox{}, ""})
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() {
			by := &User{Surface: Account, ID: ids[(i+1)%owners], OrganisationID: organisation}
			ctx, err := context.Background(), error(nil)
			switch i % 3 {
			case 0:
				err = team.Remove(ctx, by, id)
			case 1:
				err = team.ChangeRole(ctx, by, id, Developer)
			default:
				err = team.SetActive(ctx, by, id, false)
			}
			if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Forbidden) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	var left, versions int
	if err := pool.QueryRow(t.Context(), `select count(*) filter (where role = 'owner' and active), count(*) filter (where session_version > 1) from organisation_users`).Scan(&left, &versions); err != nil {
		t.Fatal(err)
	}
	if left == 0 || versions == 0 {
		t.Errorf("%d owners are left and %d colleagues signed out", left, versions)
	}
}

// Who lost the right while a change waited for another does not get it done,
// and the only owner stays one even against their own will.
func TestOnlyOwnersChangeColleagues(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	organisation, err := New(tx, Notifier{}).CreateOrganisation(t.Context(), NewOrganisation{
		Name: "Lighthouse", Owner: NewOwner{Name: "Asha", Email: "asha@example.com", Password: goodPassword},
	}, "system")
	if err != nil {
		t.Fatal(err)
	}
	var asha, ravi int64
	add := `insert into organisation_users (organisation_id, email, password_hash, role, active) values ($1, 'ravi@example.com', '', 'owner', true) returning id`
	if err := tx.QueryRow(t.Context(), add, organisation).Scan(&ravi); err != nil {
		t.Fatal(err)
	}
	if err := tx.QueryRow(t.Context(), `select id from organisation_users where email = 'asha@example.com'`).Scan(&asha); err != nil {
		t.Fatal(err)
	}
	team, by := NewTeam(tx, Notifier{&mailbox{}, ""}), &User{Surface: Account, ID: asha, OrganisationID: organisation}
	for _, lost := range []string{`role = 'developer'`, `active = false`, `role = 'viewer', active = true`} {
		exec(t, tx, `update organisation_users set `+lost+` where id = $1`, asha)
		if err := team.ChangeRole(t.Context(), by, ravi, Viewer); !fault.Is(err, fault.Forbidden) {
			t.Errorf("with %s a change gives %v", lost, err)
		}
	}
	self := &User{Surface: Account, ID: ravi, OrganisationID: organisation}
	if err := team.Remove(t.Context(), self, ravi); !fault.Is(err, fault.Conflict) {
		t.Errorf("the last owner leaves with %v", err)
	}
}
