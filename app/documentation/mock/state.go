package mock

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/documentation/reference"
	"heliograph/app/keyring"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// The bounds of what callers keep.
const (
	mostOfScope  = 100      // records of a caller in one version
	mostOfClient = 500      // of one address
	mostRecords  = 50_000   // of all
	mostValue    = 16 << 10 // bytes of a record
	stateSlots   = 8        // requests that use the database at once
	stateWait    = time.Second
)

// keep answers a request with what its caller created before. An answer that is
// about no thing stays as it is.
func (s *Service) keep(ctx context.Context, at reference.Place, c Call, a *answer) *answer {
	if a.Problem != nil || a.Status >= http.StatusMultipleChoices || a.op == nil || s.db == nil {
		return a
	}
	ctx, cancel := context.WithTimeout(ctx, stateWait)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return refusal(kindBusy, http.StatusServiceUnavailable, "Too many requests use state at the moment. Try again in a second.")
	}
	scope := s.scope(at, c, a.op)
	records, err := queries.MockRecordList(ctx, s.db, scope)
	if err != nil {
		return refusal(kindBusy, http.StatusServiceUnavailable, "The state cannot be read at the moment. Try again, or leave the preference out.")
	}
	k := &keeping{service: s, call: c, answer: a, scope: scope, records: records, deed: a.op.deedOf(a.values)}
	made, err := k.do(ctx)
	if err != nil {
		return refusal(kindBusy, http.StatusServiceUnavailable, "The state cannot be written at the moment. Try again, or leave the preference out.")
	}
	return made
}

// scope identifies a caller within a version: the address and the credentials.
func (s *Service) scope(at reference.Place, c Call, op *operation) []byte {
	parts := []string{"scope", at.Product.Slug, at.Version.Slug, c.Client}
	for _, needed := range op.alternatives {
		for _, credential := range needed {
			parts = append(parts, credential.value(validate.Request{Query: c.Query, Header: c.Header}))
		}
	}
	return keyring.MAC(s.key, parts...)
}

// value returns the credential that a request has, empty for none.
func (c credential) value(r validate.Request) string {
	switch c.in {
	case "query":
		values, _ := url.ParseQuery(r.Query) // what can be read
		return values.Get(c.name)
	case "cookie":
		if cookie, err := (&http.Request{Header: r.Header}).Cookie(c.name); err == nil {
			return cookie.Value
		}
		return ""
	}
	return r.Header.Get(c.name)
}

// keeping answers one request from the records of its caller.
type keeping struct {
	service *Service
	call    Call
	answer  *answer
	scope   []byte
	records []models.MockRecord
	deed    deed
}

func (k *keeping) do(ctx context.Context) (*answer, error) {
	switch k.deed.act {
	case actCreate:
		return k.create(ctx)
	case actList:
		return k.list(), nil
	case actClear:
		return k.clear(ctx)
	case actRead, actUpdate, actDelete:
		record := k.find(k.deed.id)
		switch {
		case record == nil && !k.deed.isCreatable:
			return k.answer, nil // nobody can have created it here
		case record == nil || record.Deleted:
			return k.missing(), nil
		case k.deed.act == actUpdate:
			return k.update(ctx, *record)
		case k.deed.act == actDelete:
			record.Deleted, record.Value = true, "{}"
			return k.answer, writes.MockRecordUpdate(ctx, k.service.db, *record)
		}
		return k.show(valueOf(*record)), nil
	}
	return k.answer, nil
}

// find returns the record with an id, nil for none.
func (k *keeping) find(id string) *models.MockRecord {
	for i := range k.records {
		if k.records[i].ID == id {
			return &k.records[i]
		}
	}
	return nil
}

// valueOf reads the value of a record.
func valueOf(r models.MockRecord) *tree.Node {
	n, err := tree.Read([]byte(r.Value))
	if err != nil {
		return tree.Object() // what was stored was read before
	}
	return n
}

// sent returns the members of the request's body, nil for another body.
func (k *keeping) sent() *tree.Node {
	r := validate.Request{Header: k.call.Header, Body: k.call.Body}
	text := r.Body
	if media.KindOf(r.Header.Get("Content-Type")) != media.JSON {
		members, err := json.Marshal(bodyOf(r))
		if err != nil {
			return nil // texts always encode
		}
		text = members
	}
	n, err := tree.Read(text)
	if err != nil || !n.Is(tree.KindObject) {
		return nil
	}
	return n
}

// create stores what a request creates, with an id of its own.
func (k *keeping) create(ctx context.Context) (*answer, error) {
	holder, name := holderOf(k.answer.shown)
	if holder == nil {
		return k.answer, nil
	}
	id := freshID(holder.Get(name))
	thing := overlaid(holder, k.sent())
	thing = merged(thing, tree.Object(tree.Member{Key: name, Value: id}))
	value := merged(k.sent(), thing).JSON()
	if len(value) > mostValue {
		return refusal(kindState, http.StatusRequestEntityTooLarge, "The mock keeps at most 16 KiB of a thing. Send less, or leave the preference state out."), nil
	}
	record := models.MockRecord{
		Scope: k.scope, Client: keyring.MAC(k.service.key, "client", k.call.Client), Collection: k.deed.collection, ID: id.Text, Value: string(value),
	}
	ok, err := writes.MockRecordInsert(ctx, k.service.db, record, mostOfScope, mostOfClient, mostRecords)
	if err == nil && !ok {
		return refusal(kindState, http.StatusConflict, "The mock keeps at most 100 things of a caller, 500 of an address, for an hour. Delete some, wait, or leave the preference state out."), nil
	}
	return k.with(replaced(k.answer.shown, holder, thing)), err
}

// list answers with what was created in a collection. A collection in which
// nothing can be created stays as it is.
func (k *keeping) list() *answer {
	list := listOf(k.answer.shown)
	if list == nil || !k.deed.isCreatable {
		return k.answer
	}
	made := tree.Array()
	for _, record := range k.records {
		if record.Deleted || record.Collection != k.deed.collection {
			continue
		}
		item := valueOf(record)
		if len(list.Items) > 0 {
			item = overlaid(list.Items[0], item)
		}
		made.Items = append(made.Items, item)
	}
	return k.with(replaced(k.answer.shown, list, made))
}

// show answers with a thing.
func (k *keeping) show(value *tree.Node) *answer {
	shown := k.answer.shown
	if holder, _ := holderOf(shown); holder != nil && holder != shown {
		return k.with(replaced(shown, holder, overlaid(holder, value)))
	}
	return k.with(overlaid(shown, value))
}

// update changes a thing: PUT replaces its members, others are merged into it.
func (k *keeping) update(ctx context.Context, record models.MockRecord) (*answer, error) {
	value := merged(valueOf(record), k.sent())
	text := value.JSON()
	if len(text) > mostValue {
		return refusal(kindState, http.StatusRequestEntityTooLarge, "The mock keeps at most 16 KiB of a thing. Send less, or leave the preference state out."), nil
	}
	record.Value = string(text)
	return k.show(value), writes.MockRecordUpdate(ctx, k.service.db, record)
}

// clear deletes the things of a collection that have the values of the query.
func (k *keeping) clear(ctx context.Context) (*answer, error) {
	query, _ := url.ParseQuery(k.call.Query) // a valid request has been read already
	for _, record := range k.records {
		if record.Deleted || record.Collection != k.deed.collection {
			continue
		}
		value, fits := valueOf(record), len(query) > 0
		for name := range query {
			if own := value.Get(name); own != nil && own.Display() != query.Get(name) {
				fits = false
			}
		}
		if !fits {
			continue
		}
		record.Deleted, record.Value = true, "{}"
		if err := writes.MockRecordUpdate(ctx, k.service.db, record); err != nil {
			return nil, err
		}
	}
	return k.answer, nil
}

// missing returns the documented 404, else a problem.
func (k *keeping) missing() *answer {
	op := k.answer.op
	if r := op.responseOf(http.StatusNotFound); r != nil && strings.EqualFold(r.key, "404") {
		a := op.reply(validate.Request{Header: k.call.Header}, preferences{}, target{r, http.StatusNotFound}, "")
		a.op, a.Operation, a.Applied = op, k.answer.Operation, k.answer.Applied
		a.Rule = ruleState
		return a
	}
	return refusal(kindState, http.StatusNotFound, "Nothing with the id "+shorten(k.deed.id)+" was created with the preference state in the last hour, or it was deleted.")
}

// with returns the answer with another value.
func (k *keeping) with(shown *tree.Node) *answer {
	a := *k.answer
	a.shown, a.Rule = shown, ruleState
	if a.form != nil {
		a.Body = a.form.encode(shown)
	}
	return &a
}
