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
	organisation, err := New(pool, Letters{}).CreateOrganisation(t.Context(), NewOrganisation{
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
	team := NewTeam(pool, Letters{&mailbox{}, ""})
	by := &User{Surface: Account, ID: ids[0], OrganisationID: organisation}
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() {
			ctx, err := context.Background(), error(nil)
			switch i % 3 {
			case 0:
				err = team.Remove(ctx, by, id)
			case 1:
				err = team.ChangeRole(ctx, by, id, Developer)
			default:
				err = team.SetActive(ctx, by, id, false)
			}
			if err != nil && !fault.Is(err, fault.Conflict) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	var left, versions int
	if err := pool.QueryRow(t.Context(), `select count(*) filter (where role = 'owner' and active), count(*) filter (where session_version > 1) from organisation_users`).Scan(&left, &versions); err != nil {
		t.Fatal(err)
	}
	if left != 1 || versions == 0 {
		t.Errorf("%d owners are left and %d colleagues signed out", left, versions)
	}
}
