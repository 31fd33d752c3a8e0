package hlr

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"

	"heliograph/app/phone"
	"heliograph/db/models"
)

// doer sends HTTP requests. The owner keeps connections of different owners
// apart.
type doer interface {
	Do(owner string, req *http.Request) (*http.Response, error)
}

// HTTPRegister is a register behind HTTP. It receives {"numbers": ["+91…", …]}
// by POST, with its key as a bearer token, and answers as POST /hlr/lookup does:
// {"data": [{"msisdn": "+91…", "status": "ACTIVE", …}]}. So one Heliograph can
// ask another. Values that the contract does not allow are left out.
type HTTPRegister struct {
	Client doer
	URL    string
	Key    models.Secret
}

// Lookup asks the provider about all numbers in one request.
func (r HTTPRegister) Lookup(ctx context.Context, numbers []string) (map[string]Number, error) {
	body, err := json.Marshal(map[string][]string{"numbers": numbers})
	if err != nil {
		return nil, fmt.Errorf("writing a lookup: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("writing a lookup: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if r.Key != "" {
		req.Header.Set("Authorization", "Bearer "+string(r.Key))
		req.Header.Set("apikey", string(r.Key))
	}
	res, err := r.Client.Do("hlr", req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return nil, fmt.Errorf("the HLR provider responds %s", res.Status)
	}
	var answer struct{ Data []json.RawMessage }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("reading the response of the HLR provider: %w", err)
	}
	known := make(map[string]Number, len(answer.Data))
	for _, item := range answer.Data {
		if number, ok := readRegistered(item); ok {
			known[number.MSISDN] = number
		}
	}
	return known, nil
}

// The shapes of a provider's values that are passed on.
var (
	mccShape         = regexp.MustCompile(`^[0-9]{3}$`)
	mncShape         = regexp.MustCompile(`^[0-9]{2,3}$`)
	networkShape     = regexp.MustCompile(`^[0-9]{5,6}$`)
	networkTypeShape = regexp.MustCompile(`^(mobile|fixed|virtual)$`)
	lineShape        = regexp.MustCompile(`^(mobile|fixed|voip|toll_free|premium|other|unknown)$`)
	regionShape      = regexp.MustCompile(`^[A-Z]{2}$`)
	prefixShape      = regexp.MustCompile(`^[1-9][0-9]{0,2}$`)
	roamingShape     = regexp.MustCompile(`^(roaming|not_roaming|unknown)$`)
)

// readRegistered reads one item of a provider. It reports false for items that
// name no number or have no state of their own.
func readRegistered(item json.RawMessage) (Number, bool) {
	var n Number
	if err := json.Unmarshal(item, &n); err != nil {
		return n, false
	}
	plan, ok := phone.Describe(n.MSISDN)
	states := []string{numberActive, numberAbsent, numberInactive, numberUnknown}
	if !ok || !slices.Contains(states, n.Status) || n.Source == fromNumberingPlan {
		return n, false
	}
	n.MSISDN = plan.E164
	keep(&n.MCC, mccShape)
	keep(&n.MNC, mncShape)
	keep(&n.MCCMNC, networkShape)
	keep(&n.Line, lineShape)
	n.GSMCode, n.GSMMessage = n.GSMCode[:min(len(n.GSMCode), 20)], n.GSMMessage[:min(len(n.GSMMessage), 200)]
	n.Original, n.Current = keepNetwork(n.Original), keepNetwork(n.Current)
	if n.Country != nil && (!regionShape.MatchString(n.Country.Code) || !prefixShape.MatchString(n.Country.Prefix)) {
		n.Country = nil
	}
	if n.Roaming != nil {
		keep(&n.Roaming.Country, regionShape)
		keep(&n.Roaming.Network, networkShape)
		if !roamingShape.MatchString(n.Roaming.Status) {
			n.Roaming = nil
		}
	}
	return n, true
}

func keepNetwork(n *network) *network {
	if n == nil {
		return nil
	}
	keep(&n.Code, networkShape)
	keep(&n.Type, networkTypeShape)
	if *n == (network{}) {
		return nil
	}
	return n
}

// keep empties a text that does not have the shape.
func keep(text *string, shape *regexp.Regexp) {
	if !shape.MatchString(*text) {
		*text = ""
	}
}
