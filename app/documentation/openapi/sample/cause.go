package sample

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
)

// WriteCause writes the call that gets the response of an error example, as [Write]
// does; false where the document names none, or names one that the endpoint cannot
// send.
func WriteCause(e *model.Endpoint, server, language string, cause *model.Cause) (string, bool) {
	changed, choice, ok := causing(e, cause)
	if !ok {
		return "", false
	}
	for _, w := range writers {
		if w.Slug == language {
			r := newRequest(changed, server, choice)
			r.spoil(cause)
			return w.write(r), true
		}
	}
	return "", false
}

// Causes reports whether [WriteCause] can write the call that gets the response of an
// error example.
func Causes(e *model.Endpoint, cause *model.Cause) bool {
	_, _, ok := causing(e, cause)
	return ok
}

// causing returns the endpoint and the body that are sent, with the changes of a
// cause; false where it changes nothing of the request.
func causing(e *model.Endpoint, cause *model.Cause) (*model.Endpoint, Choice, bool) {
	if cause == nil {
		return nil, Choice{}, false
	}
	choice, found := choiceNamed(Choices(e), cause.Example)
	differs := cause.Key != "" || cause.Text != "" && choice.ContentType != ""
	changed := *e
	changed.Inputs = slices.Clone(e.Inputs)
	for i := range changed.Inputs {
		in := &changed.Inputs[i]
		for _, p := range cause.Parameters {
			sent := p.Value.Kind != tree.KindNull
			if strings.EqualFold(p.Key, in.Name) && (sent || in.Sent) {
				in.Value, in.Sent, differs = p.Value, sent, true
			}
		}
	}
	if body := choice.Example.Node; cause.Body != nil && body != nil {
		choice.Example.Node = merged(body, cause.Body)
		differs = differs || !body.Equal(choice.Example.Node)
	}
	return &changed, choice, found && differs
}

// choiceNamed returns the choice with the example of a name, the first for "".
func choiceNamed(list []Choice, name string) (Choice, bool) {
	for _, c := range list {
		if name == "" || c.Example.Name == name {
			return c, true
		}
	}
	return Choice{}, false
}

// spoil sends the text and the key of a cause in place of the body and the
// placeholder of the key.
func (r *request) spoil(cause *model.Cause) {
	if cause.Text != "" && r.body != nil {
		r.body = &requestBody{kind: media.Text, contentType: r.body.contentType, text: cause.Text}
	}
	if cause.Key == "" {
		return
	}
	r.wrongKey = cause.Key
	key := strings.NewReplacer("<API_KEY>", cause.Key, "<ACCESS_TOKEN>", cause.Key)
	for i := range r.headers {
		r.headers[i].value = key.Replace(r.headers[i].value)
	}
	r.url, r.cookie = key.Replace(r.url), key.Replace(r.cookie)
}

// merged returns a value with the changes of a JSON merge patch (RFC 7396).
func merged(value, patch *tree.Node) *tree.Node {
	if !patch.Is(tree.KindObject) {
		return patch
	}
	result := tree.Object()
	if value.Is(tree.KindObject) {
		result.Members = slices.Clone(value.Members)
	}
	for _, m := range patch.Members {
		if m.Value.Is(tree.KindNull) {
			result.Remove(m.Key)
		} else {
			result.Set(m.Key, merged(result.Get(m.Key), m.Value))
		}
	}
	return result
}
