package sdk

import (
	"cmp"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
)

// webhook reads what the service sends, and how it signs it.
func (b *builder) webhook(placed openapi.Placed) {
	op := b.g.Operation(placed.Method, placed.Route, placed.Node)
	name := b.s.names.unique(newName(cmp.Or(placed.ID, placed.Route), "event").plus("event"), "hook")
	w := &Webhook{Name: name, Key: placed.Route, Doc: cmp.Or(placed.Purpose, placed.Name), Type: &Type{Kind: Any}}
	for _, c := range op.Body().Content() {
		if kind, _ := bodyKind(c.Name); kind == BodyJSON {
			w.Type = b.s.typeOf(c.Value.Schema(), name.plus("body"))
		}
	}
	for _, p := range op.Parameters() {
		if p.In() == "header" && strings.Contains(strings.ToLower(p.Name()), "signature") {
			w.sign(p)
			break
		}
	}
	b.api.Webhooks = append(b.api.Webhooks, w)
}

// sign reads the scheme of a signature from its header. A header of Standard Webhooks
// has a verifier of its own.
func (w *Webhook) sign(p graph.Parameter) {
	low := strings.ToLower(p.Name() + " " + p.Description())
	if strings.EqualFold(p.Name(), "webhook-signature") {
		return
	}
	w.Signature, w.Algorithm, w.Encoding = clean(p.Name()), "sha256", "hex"
	if strings.Contains(low, "sha512") || strings.Contains(low, "sha-512") {
		w.Algorithm = "sha512"
	}
	if strings.Contains(low, "base64") || strings.EqualFold(p.Name(), "X-Goog-Signature") {
		w.Encoding = "base64"
	}
	if strings.Contains(low, "sha256=") || strings.Contains(low, "-256") {
		w.Prefix = w.Algorithm + "="
	}
	if strings.EqualFold(p.Name(), "X-Goog-Signature") {
		w.Algorithm, w.Prefix = "sha512", ""
	}
}
