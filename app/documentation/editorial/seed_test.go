package editorial_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/db/dbtest"
)

// seedFiles are the files of the seed with replacements in the document and in
// the first guide.
func seedFiles(replacements ...string) fstest.MapFS {
	r := strings.NewReplacer(replacements...)
	all := guideFiles(r.Replace("Begin."))
	all["t.json"] = &fstest.MapFile{Data: []byte(r.Replace(document))}
	return all
}

func (d *desk) seed(files fstest.MapFS) {
	d.Helper()
	d.ok(editorial.Seed(d.Context(), d.db, files))
}

// left returns the change set that a seed left for review, zero for none.
func (d *desk) left() int64 {
	d.Helper()
	return int64(d.count(`select coalesce(max(id), 0) from change_sets where author_id is null and state = 'in_review'`))
}

// A seed that died between draft and publish is finished by the next.
func TestSeedFinishesWhatWasLeft(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	im := importOf(t, document, "SECRETWORD", "HALFWORD")
	if set, err := editorial.Draft(t.Context(), d.db, editorial.System, im); err != nil || set == 0 {
		t.Fatal(set, err)
	}
	d.seed(seedFiles("SECRETWORD", "WHOLEWORD"))
	if !strings.Contains(string(d.live(d.postB)), "WHOLEWORD") || d.count(`select count(*) from change_sets where state = 'draft'`) != 0 {
		t.Errorf("public: %s", d.live(d.postB))
	}
	// Also when the seed has by now what is live.
	im = importOf(t, document, "SECRETWORD", "HALFWORD")
	_, err := editorial.Draft(t.Context(), d.db, editorial.System, im)
	d.ok(err)
	d.seed(seedFiles("SECRETWORD", "WHOLEWORD"))
	if !strings.Contains(string(d.live(d.postB)), "WHOLEWORD") || d.count(`select count(*) from change_sets where state = 'draft'`) != 0 {
		t.Errorf("public: %s", d.live(d.postB))
	}
}

// What people published is not overwritten: the seed's newer text is left for
// review, once, and the rest is released.
func TestSeedLeavesWhatPeoplePublished(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	mine := json.RawMessage(strings.Replace(string(d.live(d.postB)), "SECRETWORD", "OURWORD", 1))
	d.ok(editorial.Publish(ctx, d.db, d.boss, d.save(d.ada, d.postB, mine).ChangeSetID, true))
	d.seed(seedFiles())
	if d.left() != 0 || string(d.live(d.postB)) != string(mine) {
		t.Fatal("a seed without news touches what people published")
	}
	newer := seedFiles("SECRETWORD", "NEWWORD", "Get a", "Get the letter")
	d.seed(newer)
	if string(d.live(d.postB)) != string(mine) || !strings.Contains(string(d.live(d.getA)), "Get the letter") {
		t.Fatal("the seed overwrites, or releases nothing")
	}
	set := d.left()
	if set == 0 || d.count(`select count(*) from change_set_items where change_set_id = $1`, set) != 1 {
		t.Fatal("nothing was left for review")
	}
	d.seed(newer)
	if d.left() != set || d.count(`select count(*) from change_sets where author_id is null and state = 'in_review'`) != 1 {
		t.Error("the same is left twice")
	}
	d.seed(seedFiles("SECRETWORD", "NEWERWORD", "Get a", "Get the letter"))
	if d.left() != set {
		t.Error("a newer seed does not continue what was left")
	}
	d.ok(editorial.Approve(ctx, d.db, d.ben, set, d.hash(set)))
	d.ok(editorial.Publish(ctx, d.db, d.ben, set, false))
	if !strings.Contains(string(d.live(d.postB)), "NEWERWORD") {
		t.Errorf("public: %s", d.live(d.postB))
	}
	d.seed(seedFiles("SECRETWORD", "LASTWORD", "Get a", "Get the letter")) // it is the seed's again
	if !strings.Contains(string(d.live(d.postB)), "LASTWORD") {
		t.Errorf("public: %s", d.live(d.postB))
	}
}

// What a seed left for review stays a draft when people take it back or split it: a
// later seed does not publish it over what they published.
func TestSeedLeavesWhatWasTakenBack(t *testing.T) {
	t.Parallel()
	for name, takeBack := range map[string]func(d *desk, set int64) error{
		"withdrawn": func(d *desk, set int64) error { return editorial.Withdraw(d.Context(), d.db, d.ben, set) },
		"split": func(d *desk, set int64) error {
			_, err := editorial.Split(d.Context(), d.db, d.boss, set, []int64{d.postB})
			return err
		},
	} {
		d := newDesk(t, dbtest.Tx(t))
		mine := json.RawMessage(strings.Replace(string(d.live(d.postB)), "SECRETWORD", "OURWORD", 1))
		d.ok(editorial.Publish(t.Context(), d.db, d.boss, d.save(d.ada, d.postB, mine).ChangeSetID, true))
		d.ok(editorial.Publish(t.Context(), d.db, d.boss, d.save(d.ada, d.guide, guideText("Ours", ".")).ChangeSetID, true))
		newer := seedFiles("SECRETWORD", "NEWWORD", "Begin.", "Newer.", "Get a", "Get the letter")
		d.seed(newer)
		d.ok(takeBack(d, d.left()))
		d.seed(newer)
		d.seed(seedFiles("SECRETWORD", "NEWERWORD", "Begin.", "Newest.", "Get a", "Get another letter"))
		if string(d.live(d.postB)) != string(mine) || !strings.Contains(string(d.live(d.guide)), "Ours") {
			t.Errorf("%s: the seed publishes over what people published", name)
		}
		if !strings.Contains(string(d.live(d.getA)), "Get another letter") {
			t.Errorf("%s: the seed releases nothing of its own", name)
		}
	}
}

// A Super Admin who rebases what a seed left for review decides what it says: no later
// seed writes over that.
func TestSeedLeavesWhatWasRebased(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	d.ok(editorial.Publish(ctx, d.db, d.boss, d.save(d.ada, d.guide, guideText("Ours", "Begin.")).ChangeSetID, true))
	first := int64(d.count(`select max(id) from releases`))
	d.ok(editorial.Publish(ctx, d.db, d.boss, d.save(d.ada, d.guide, guideText("Ours again", "Begin.")).ChangeSetID, true))
	newer := seedFiles("Begin.", "Newer.")
	d.seed(newer)
	set := d.left()
	second(editorial.Revert(ctx, d.db, d.boss, int64(d.count(`select max(id) from releases`))))
	if int64(d.count(`select max(id) from releases`)) == first {
		t.Fatal("nothing was reverted")
	}
	choices := map[int64]map[string]json.RawMessage{d.guide: {"title": json.RawMessage(`"Decided"`), "group": json.RawMessage(`"Start"`)}}
	_, err := editorial.Rebase(ctx, d.db, d.boss, set, editorial.Choices{Values: choices})
	d.ok(err)
	decided := d.item(d.guide).DraftRevisionID
	d.seed(newer)
	d.seed(seedFiles("Begin.", "Newest."))
	if got := d.item(d.guide).DraftRevisionID; got != decided {
		t.Errorf("the draft is revision %d, and who rebased it left %d", got, decided)
	}
}

// Where an item has moved to the address of another one of the seed, the seed has two
// items for two texts.
func TestSeedAfterItemsTookAddresses(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	next := d.find("guide", "go-on")
	for _, to := range []struct {
		item int64
		slug string
	}{{d.guide, "start"}, {next, "begin"}} {
		d.ok(editorial.MoveItem(t.Context(), d.db, d.boss, 0, to.item, editorial.Address{Slug: to.slug}))
		d.ok(editorial.Publish(t.Context(), d.db, d.boss, int64(d.count(`select max(id) from change_sets`)), true))
	}
	d.seed(seedFiles("Begin.", "Newer."))
	if d.item(next).Slug != "begin" || d.find("guide", "go-on") == next {
		t.Error("one item is two guides of the seed")
	}
}

// What was rejected is not proposed again, and what somebody is changing is
// left alone.
func TestSeedRespectsDecisions(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	d.ok(editorial.Publish(ctx, d.db, d.boss, d.save(d.ada, d.guide, guideText("Ours", ".")).ChangeSetID, true))
	draft := d.save(d.ada, d.getA, json.RawMessage(strings.Replace(string(d.live(d.getA)), "Get a", "Mine", 1)))
	newer := seedFiles("Begin.", "Newer.", "Get a", "Seeded")
	d.seed(newer)
	if got := d.item(d.getA); got.DraftRevisionID != draft.Item.DraftRevisionID || strings.Contains(string(d.live(d.getA)), "Seeded") {
		t.Error("the seed touches what somebody is changing")
	}
	d.ok(editorial.Reject(ctx, d.db, d.ben, d.left(), "Ours is better."))
	d.seed(newer)
	if d.left() != 0 {
		t.Error("what was rejected is proposed again")
	}
	d.ok(editorial.Discard(ctx, d.db, d.ada, draft.ChangeSetID))
	d.seed(newer)
	if !strings.Contains(string(d.live(d.getA)), "Seeded") {
		t.Error("what was free again is not released")
	}
}

// What people added stays, and what they archived does not come back by itself.
func TestSeedAndArchiving(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	added, err := editorial.Save(ctx, d.db, d.ada, editorial.Edit{Address: editorial.Address{Kind: content.KindEndpoint, ParentID: d.version, Slug: "ours"},
		Content: json.RawMessage(`{"operation_id":"ours","name":"Ours","method":"GET","path":"/ours","raw":{"operationId":"ours","responses":{}}}`)})
	d.ok(err)
	d.ok(editorial.Publish(ctx, d.db, d.boss, added.ChangeSetID, true))
	d.ok(editorial.Archive(ctx, d.db, d.ada, 0, d.getA))
	archived := int64(d.count(`select max(id) from change_sets where state = 'draft'`))
	d.accept(archived)
	d.ok(editorial.Publish(ctx, d.db, d.boss, archived, true))
	d.seed(seedFiles())
	if !d.item(added.Item.ID).Public() || d.item(d.getA).Public() || d.left() != 0 {
		t.Fatal("the seed undoes what people decided")
	}
	d.seed(seedFiles("Get a", "Get the letter"))
	if d.item(d.getA).Public() || d.left() == 0 {
		t.Error("news of what people archived is not left for review")
	}
	// An endpoint that people wrote and the seed drops is left to them, once.
	d.ok(editorial.Publish(ctx, d.db, d.boss, d.save(d.ben, d.postB, json.RawMessage(strings.Replace(string(d.live(d.postB)), "SECRETWORD", "OURWORD", 1))).ChangeSetID, true))
	without := seedFiles("Get a", "Get the letter", `"/b":{"post"`, `"/c":{"put"`, "postB", "putC")
	d.seed(without)
	if !d.item(d.postB).Public() || d.count(`select count(*) from change_set_items where item_id = $1 and action = 'archive' and open`, d.postB) != 1 {
		t.Error("what people wrote is archived, or not proposed")
	}
	d.ok(editorial.Reject(ctx, d.db, d.ben, d.left(), "Keep them."))
	d.seed(without)
	if d.left() != 0 {
		t.Error("what was rejected is proposed again")
	}
}

// Seeds at once wait for each other, also for a product that is new.
func TestSeedsAtOnce(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	d := &desk{T: t, db: pool}
	tx, err := pool.Begin(t.Context())
	d.ok(err)
	defer tx.Rollback(t.Context()) //nolint:errcheck // committed below
	d.ok(editorial.Seed(t.Context(), tx, seedFiles()))
	second := make(chan error, 1)
	go func() { second <- editorial.Seed(t.Context(), pool, seedFiles("SECRETWORD", "NEWWORD")) }()
	d.untilBlocked()
	d.ok(tx.Commit(t.Context()))
	d.ok(<-second)
	if got := string(d.live(d.find("endpoint", "post-b"))); !strings.Contains(got, "NEWWORD") {
		t.Errorf("public: %s", got)
	}
	if n := d.count(`select count(*) from releases`); n != 3 {
		t.Errorf("%d releases, want 3", n)
	}
}

// Content of the version before: revisions without origin, search rows without
// digest, and a draft that its seed did not finish. It is read, seeded and
// edited like any other.
func TestContentOfTheVersionBefore(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	d.exec(`alter table revisions disable trigger immutable`)
	d.exec(`update revisions set origin = null`)
	d.exec(`alter table revisions enable trigger immutable`)
	d.exec(`update search_rows set digest = null`)
	d.exec(`with r as (insert into revisions (item_id, number, content, content_hash, base_id) select id, 9, '{"title":"Half"}', sha256('x'), live_revision_id from items where id = $1 returning id),
		s as (insert into change_sets (product_id, summary) values ($2, 'Import Letters 1.0') returning id), i as (update items set draft_revision_id = r.id from r where items.id = $1)
		insert into change_set_items (change_set_id, item_id, revision_id) select s.id, $1, r.id from r, s`, d.guide, d.product)
	before := d.count(`select count(*) from search_rows`)
	d.seed(seedFiles("SECRETWORD", "NEWWORD"))
	if !strings.Contains(string(d.live(d.postB)), "NEWWORD") || !strings.Contains(string(d.live(d.guide)), "Begin.") || d.left() != 0 || d.item(d.guide).DraftRevisionID != 0 {
		t.Errorf("after the seed: %s, %s", d.live(d.postB), d.live(d.guide))
	}
	if n := d.count(`select count(*) from search_rows`); n != before || d.count(`select count(*) from search_rows where digest is null and scope_id = $1`, d.version) != 0 {
		t.Errorf("%d search rows, were %d", n, before)
	}
	d.ok(editorial.Publish(t.Context(), d.db, d.ben, d.approved("Edited."), false))
	if !strings.Contains(string(d.live(d.guide)), "Edited.") {
		t.Error("what is old cannot be edited")
	}
}
