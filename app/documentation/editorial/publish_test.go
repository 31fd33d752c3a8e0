package editorial_test

import (
	"encoding/json"
	"strings"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
)

// Drafting an import that lacks an endpoint, and archiving by hand, change
// nothing in public before the release.
func TestArchivingGoesLiveWithTheRelease(t *testing.T) {
	t.Parallel()
	for name, archive := range map[string]func(d *desk) int64{
		"by hand": func(d *desk) int64 {
			d.ok(editorial.Archive(t.Context(), d.db, d.ada, 0, d.postB))
			return int64(d.count(`select id from change_sets where state = 'draft'`))
		},
		"by import": func(d *desk) int64 {
			set, err := editorial.Draft(t.Context(), d.db, d.ada, importOf(t, strings.Replace(document, `"/b":{"post"`, `"/b":{"put"`, 1), "postB", "putB"))
			d.ok(err)
			return set
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, dbtest.Tx(t))
			set := archive(d)
			if d.item(d.postB).Archived || d.count(`select count(*) from search_rows where body like '%SECRETWORD%'`) == 0 {
				t.Fatal("a draft archives in public")
			}
			d.ok(editorial.Submit(t.Context(), d.db, d.ada, set, "Without b"))
			d.ok(editorial.Approve(t.Context(), d.db, d.ben, set, d.hash(set)))
			d.accept(set)
			d.ok(editorial.Publish(t.Context(), d.db, d.ada, set, false))
			if !d.item(d.postB).Archived || d.count(`select count(*) from search_rows where url like '%/post-b%'`) != 0 {
				t.Error("the release does not archive")
			}
			if n := d.count(`select count(*) from release_items where item_id = $1 and release_id = (select max(id) from releases where scope_id = $2)`, d.postB, d.version); n != 0 {
				t.Error("the archived endpoint is in the release")
			}
			d.refused(editorial.Archive(t.Context(), d.db, d.ada, 0, d.postB), fault.Conflict, "")
			// It comes back by another save.
			back := d.save(d.ada, d.postB, d.live(d.postB))
			d.ok(editorial.Publish(t.Context(), d.db, d.boss, back.ChangeSetID, true))
			if !d.item(d.postB).Public() || d.count(`select count(*) from search_rows where url like '%/post-b%'`) == 0 {
				t.Error("the endpoint does not come back")
			}
		})
	}
}

// importOf is the seed's product with another document.
func importOf(t *testing.T, text string, renames ...string) editorial.Import {
	t.Helper()
	return editorial.Import{ProductSlug: "letters", Product: content.Product{Name: "Letters", Homepage: true}, VersionSlug: "1.0",
		Version: content.Version{Label: content.Current}, Document: read(t, strings.NewReplacer(renames...).Replace(text))}
}

func TestMove(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	move := func(id int64, slug string) error {
		return editorial.MoveItem(ctx, d.db, d.ada, 0, id, editorial.Address{Slug: slug})
	}
	d.refused(move(d.getA, "Bad Slug"), fault.Invalid, "")
	d.ok(move(d.getA, "post-b"))
	set := int64(d.count(`select id from change_sets where state = 'draft'`))
	d.refused(editorial.Publish(ctx, d.db, d.boss, set, true), fault.Conflict, "address_taken")
	// Both change places, and one is edited on the way.
	d.ok(move(d.postB, "get-a"))
	d.save(d.ada, d.postB, json.RawMessage(strings.Replace(string(d.live(d.postB)), "SECRETWORD", "OPENWORD", 1)))
	if d.item(d.getA).Slug != "get-a" || d.count(`select count(*) from item_redirects`) != 0 {
		t.Fatal("a draft moves in public")
	}
	d.ok(editorial.Publish(ctx, d.db, d.boss, set, true))
	if d.item(d.getA).Slug != "post-b" || d.item(d.postB).Slug != "get-a" || !strings.Contains(string(d.live(d.postB)), "OPENWORD") {
		t.Errorf("after the move: %+v, %+v", d.item(d.getA), d.item(d.postB))
	}
	if n := d.count(`select count(*) from search_rows where item_id = $1 and url = '/docs/letters/1.0/post-b' and kind = 'endpoint'`, d.getA); n != 1 {
		t.Errorf("%d rows at the new address", n)
	}
	if n := d.count(`select count(*) from item_redirects`); n != 0 {
		t.Errorf("%d redirects from addresses that have items", n)
	}
	d.ok(editorial.MoveItem(ctx, d.db, d.ada, 0, d.getA, editorial.Address{Slug: "fetch-a"}))
	set = int64(d.count(`select max(id) from change_sets where state = 'draft'`))
	d.ok(editorial.Publish(ctx, d.db, d.boss, set, true))
	at := func(slug string) int64 {
		item, err := queries.ItemGetAt(ctx, d.db, content.KindEndpoint, d.version, slug)
		d.ok(err)
		return item.ID
	}
	if at("post-b") != d.getA || at("fetch-a") != d.getA {
		t.Error("the old address does not lead to the item")
	}
	// The seed finds it where it was, and does not make another.
	d.ok(editorial.Seed(ctx, d.db, guideFiles("Begin.")))
	if n := d.count(`select count(*) from items where kind = 'endpoint'`); n != 2 {
		t.Errorf("%d endpoints after the seed, want 2", n)
	}
}

func TestMoveToAnotherVersion(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	im := importOf(t, document, `"/a"`, `"/c"`, "getA", "getC")
	im.VersionSlug = "2.0"
	im.Version.Label = content.Beta
	set, err := editorial.Draft(ctx, d.db, d.boss, im)
	d.ok(err)
	d.ok(editorial.Publish(ctx, d.db, d.boss, set, true))
	two := d.find("version", "2.0")
	d.refused(editorial.MoveItem(ctx, d.db, d.ada, 0, d.guide, editorial.Address{ParentID: two, Slug: "begin"}), fault.Invalid, "")
	d.refused(editorial.MoveItem(ctx, d.db, d.ada, 0, d.getA, editorial.Address{ParentID: d.product, Slug: "a"}), fault.Invalid, "")
	d.ok(editorial.MoveItem(ctx, d.db, d.ada, 0, d.getA, editorial.Address{ParentID: two, Slug: "get-a-too"}))
	set = int64(d.count(`select max(id) from change_sets where state = 'draft'`))
	d.accept(set)
	d.ok(editorial.Publish(ctx, d.db, d.boss, set, true))
	if d.item(d.getA).ParentID != two {
		t.Error("the endpoint did not move")
	}
	for scope, want := range map[int64]int{d.version: 1, two: 3} {
		if n := d.count(`select count(*) from release_items x join items i on i.id = x.item_id where i.kind = 'endpoint' and release_id = (select max(id) from releases where scope_id = $1)`, scope); n != want {
			t.Errorf("%d endpoints in the release of %d, want %d", n, scope, want)
		}
	}
}

func TestGuards(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	publish := func(set int64) error { return editorial.Publish(ctx, d.db, d.boss, set, true) }
	empty, err := editorial.Open(ctx, d.db, d.ada, d.product, "Nothing")
	d.ok(err)
	d.refused(publish(empty), fault.Conflict, "")
	d.refused(editorial.Submit(ctx, d.db, d.ada, empty, "Nothing"), fault.Conflict, "")

	set := d.save(d.ada, d.guide, guideText("", "No title.")).ChangeSetID
	d.refused(publish(set), fault.Conflict, "incomplete")
	d.save(d.ada, d.guide, guideText("Title", "."))
	d.ok(publish(set))

	// A part of a version that is not public yet.
	version, err := editorial.Save(ctx, d.db, d.ben, editorial.Edit{Address: editorial.Address{Kind: content.KindVersion, ParentID: d.product, Slug: "3.0"},
		Content: json.RawMessage(`{"label":"Beta","frame":{"openapi":"3.1.0","info":{"title":"T","version":"3"}}}`)})
	d.ok(err)
	part, err := editorial.Open(ctx, d.db, d.ben, d.product, "A part alone")
	d.ok(err)
	_, err = editorial.Save(ctx, d.db, d.ben, editorial.Edit{Address: editorial.Address{Kind: content.KindEndpoint, ParentID: version.Item.ID, Slug: "get-c"},
		Content: json.RawMessage(`{"name":"C","method":"GET","path":"/c","raw":{"responses":{}}}`), ChangeSetID: part})
	d.ok(err)
	d.refused(publish(part), fault.Conflict, "parent_not_live")
	d.ok(publish(version.ChangeSetID))
	d.ok(publish(part))
	if d.count(`select count(*) from search_rows where url = '/docs/letters/3.0/get-c'`) != 1 {
		t.Error("the endpoint is not found")
	}
}

// A failed guard leaves nothing half published.
func TestNothingIsHalfPublished(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.save(d.ada, d.getA, json.RawMessage(strings.Replace(string(d.live(d.getA)), "Get a", "Get the letter", 1))).ChangeSetID
	d.save(d.ada, d.postB, d.live(d.getA)) // two operations of one method and path
	before := d.item(d.getA)
	d.accept(set)
	err := editorial.Publish(t.Context(), d.db, d.boss, set, true)
	d.refused(err, fault.Conflict, "broken")
	if got := d.item(d.getA); got != before {
		t.Errorf("the item is %+v, was %+v", got, before)
	}
	d.wantState(set, editorial.StateDraft)
}

// Two change sets of one product that are published at once both go live, and
// the release of the second has what the first brought.
func TestTwoPublishesAtOnce(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	d := newDesk(t, pool)
	one := d.save(d.ada, d.getA, json.RawMessage(strings.Replace(string(d.live(d.getA)), "Get a", "Get the letter", 1))).ChangeSetID
	two := d.save(d.ben, d.postB, json.RawMessage(strings.Replace(string(d.live(d.postB)), "SECRETWORD", "OPENWORD", 1))).ChangeSetID
	tx, err := pool.Begin(t.Context())
	d.ok(err)
	defer tx.Rollback(t.Context()) //nolint:errcheck // committed below
	d.ok(editorial.Publish(t.Context(), tx, d.boss, one, true))
	second := make(chan error, 1)
	go func() { second <- editorial.Publish(t.Context(), pool, d.boss, two, true) }()
	d.untilBlocked()
	d.ok(tx.Commit(t.Context()))
	d.ok(<-second)
	if n := d.count(`select count(*) from releases where scope_id = $1`, d.version); n != 3 {
		t.Errorf("%d releases, want 3", n)
	}
	if n := d.count(`select count(*) from release_items x join items i on i.id = x.item_id where x.revision_id = i.live_revision_id and i.kind = 'endpoint'
		and x.release_id = (select max(id) from releases where scope_id = $1)`, d.version); n != 2 {
		t.Errorf("%d live endpoints in the last release, want 2", n)
	}
}

// What is published is indexed like everything else, and only that is written.
func TestOnlyWhatChangedIsIndexed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ids := func() string {
		var list string
		d.scan(&list, `select string_agg(id::text, ' ' order by id) from search_rows where scope_id = $1`, d.version)
		return list
	}
	publish := func(id int64, old, now string) {
		t.Helper()
		set := d.save(d.ada, id, json.RawMessage(strings.Replace(string(d.live(id)), old, now, 1))).ChangeSetID
		d.ok(editorial.Publish(t.Context(), d.db, d.boss, set, true))
	}
	before, highest := ids(), d.count(`select max(id) from search_rows`)
	publish(d.product, `"summary":""`, `"summary":"By post."`)
	if got := ids(); got != before {
		t.Errorf("a summary of the product rewrites its version: %s, was %s", got, before)
	}
	if n := d.count(`select count(*) from search_rows where id > $1`, highest); n != 1 {
		t.Errorf("%d rows written for a summary, want 1", n)
	}
	highest = d.count(`select max(id) from search_rows`)
	publish(d.postB, "SECRETWORD", "OPENWORD")
	if n := d.count(`select count(*) from search_rows where id > $1`, highest); n != 1 {
		t.Errorf("%d rows written for a word of an endpoint, want 1", n)
	}
	for _, table := range []string{"search_rows", "search_names", "search_words"} {
		if n := d.count(`select count(*) from ` + table + ` where scope_id = (select id from items where kind = 'version')`); n == 0 {
			t.Errorf("nothing in %s", table)
		}
	}
	if rows, names := d.count(`select count(*) from search_rows`), d.count(`select count(*) from search_names join search_rows using (id)`); rows != names || d.count(`select count(*) from search_names`) != rows {
		t.Errorf("%d rows, %d names", rows, names)
	}
	if d.count(`select count(*) from search_words where word = 'openword'`) != 1 || d.count(`select count(*) from search_words where word = 'secretword'`) != 0 || d.count(`select count(*) from search_loads`) != 0 {
		t.Error("the words do not follow")
	}
	// A name is in every row of its versions.
	publish(d.product, `"name":"Letters"`, `"name":"Cards"`)
	if n := d.count(`select count(*) from search_rows where scope_id = $1 and breadcrumb[1] <> 'Cards'`, d.version); n != 0 {
		t.Errorf("%d rows have the old name", n)
	}
	publish(d.product, `"hidden":false`, `"hidden":true`)
	if n := d.count(`select count(*) from search_rows`) + d.count(`select count(*) from search_names`) + d.count(`select count(*) from search_words`); n != 0 {
		t.Errorf("%d rows of a hidden product", n)
	}
}

// The version to read first is worth more in search: when another becomes it,
// the rows of both change.
func TestTheLatestVersionChanges(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	weight := func() (w float64) {
		d.scan(&w, `select weight from search_rows where item_id = $1 and kind = 'endpoint'`, d.getA)
		return w
	}
	before := weight()
	im := importOf(t, document)
	im.VersionSlug = "2.0"
	set, err := editorial.Draft(t.Context(), d.db, d.boss, im)
	d.ok(err)
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, set, true))
	if got := weight(); got >= before {
		t.Errorf("an endpoint of the older version weighs %v, before %v", got, before)
	}
	d.ok(editorial.Archive(t.Context(), d.db, d.boss, 0, d.find("version", "2.0")))
	set = int64(d.count(`select max(id) from change_sets where state = 'draft'`))
	d.ok(editorial.Publish(t.Context(), d.db, d.boss, set, true))
	if got := weight(); got != before {
		t.Errorf("an endpoint of the latest version weighs %v, want %v", got, before)
	}
	if n := d.count(`select count(*) from search_rows where version = '2.0'`); n != 0 {
		t.Errorf("%d rows of an archived version", n)
	}
}

func TestTrash(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	d.refused(editorial.Trash(ctx, d.db, d.ada, d.guide), fault.Conflict, "")
	d.ok(editorial.Archive(ctx, d.db, d.ada, 0, d.guide))
	set := int64(d.count(`select max(id) from change_sets where state = 'draft'`))
	d.ok(editorial.Publish(ctx, d.db, d.boss, set, true))
	d.ok(editorial.Trash(ctx, d.db, d.ada, d.guide))
	d.ok(editorial.Trash(ctx, d.db, d.ada, d.guide))
	_, err := editorial.Save(ctx, d.db, d.ada, editorial.Edit{ItemID: d.guide, Content: guideText("x", ""), Base: d.item(d.guide).Head()})
	d.refused(err, fault.Conflict, "")
	_, err = editorial.Save(ctx, d.db, d.ada, editorial.Edit{Address: editorial.Address{Kind: content.KindGuide, ParentID: d.product, Slug: "begin"}, Content: guideText("x", "")})
	d.refused(err, fault.Conflict, "address_taken")
	d.ok(editorial.Untrash(ctx, d.db, d.ada, d.guide))
	if item := d.item(d.guide); item.Trashed || !item.Archived {
		t.Errorf("out of the trash: %+v", item)
	}
	d.save(d.ada, d.guide, guideText("Back", "."))
	d.refused(editorial.Trash(ctx, d.db, d.ada, d.guide), fault.Conflict, "")
	if n := d.count(`select count(*) from audit_entries where action in ('item.trash', 'item.untrash')`); n != 2 {
		t.Errorf("%d entries", n)
	}
}

// An endpoint that is kept unpublished is out of the release, of search and of what
// breaks, until its flag is taken back.
func TestUnpublishedEndpointsStayOutOfReleases(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	ctx := t.Context()
	flagged := func(raw json.RawMessage, flag bool) json.RawMessage {
		var e content.Endpoint
		d.ok(json.Unmarshal(raw, &e))
		e.Unpublished = flag
		made, err := json.Marshal(e)
		d.ok(err)
		return made
	}
	inRelease := func(id int64) int {
		return d.count(`select count(*) from release_items where item_id = $1 and release_id = (select max(id) from releases where scope_id = $2)`, id, d.version)
	}
	// A new one goes out with the others, and stays unseen.
	saved, err := editorial.Save(ctx, d.db, d.ada, editorial.Edit{
		Address: editorial.Address{Kind: content.KindEndpoint, ParentID: d.version, Slug: "get-c"},
		Content: json.RawMessage(`{"operation_id":"getC","name":"Get c HIDDENWORD","category":"","method":"GET","path":"/c","purpose":"","order":3,"raw":{"responses":{"200":{"description":"ok"}}},"unpublished":true}`),
	})
	d.ok(err)
	d.save(d.ada, d.postB, json.RawMessage(strings.Replace(string(d.live(d.postB)), "SECRETWORD", "OPENWORD", 1)))
	d.ok(editorial.Publish(ctx, d.db, d.boss, saved.ChangeSetID, true))
	id := saved.Item.ID
	if inRelease(id) != 0 || inRelease(d.postB) != 1 || d.item(id).Public() || d.count(`select count(*) from search_rows where body like '%HIDDENWORD%' or title like '%HIDDENWORD%'`) != 0 {
		t.Error("readers see an endpoint that is kept unpublished")
	}
	// It is published once its flag is gone, with what was written meanwhile.
	shown := d.save(d.ada, id, flagged(d.live(id), false))
	d.ok(editorial.Publish(ctx, d.db, d.boss, shown.ChangeSetID, true))
	if inRelease(id) != 1 || !d.item(id).Public() || d.count(`select count(*) from search_rows where url like '%/get-c'`) == 0 {
		t.Error("the endpoint does not go public")
	}
	// One that is public goes when it gets the flag, which breaks what calls it.
	hidden := d.save(d.ada, d.postB, flagged(d.live(d.postB), true))
	d.ok(editorial.Submit(ctx, d.db, d.ada, hidden.ChangeSetID, "Without b"))
	d.ok(editorial.Approve(ctx, d.db, d.ben, hidden.ChangeSetID, d.hash(hidden.ChangeSetID)))
	d.refused(editorial.Publish(ctx, d.db, d.ada, hidden.ChangeSetID, false), fault.Conflict, "breaking")
	d.accept(hidden.ChangeSetID)
	d.ok(editorial.Publish(ctx, d.db, d.ada, hidden.ChangeSetID, false))
	if inRelease(d.postB) != 0 || d.item(d.postB).Public() || d.count(`select count(*) from search_rows where url like '%/post-b%'`) != 0 {
		t.Error("the endpoint stays public")
	}
}
