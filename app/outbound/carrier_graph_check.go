package outbound

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"heliograph/db/models"
)

// CarrierCheck is one part of the test of a carrier, with what was answered.
type CarrierCheck struct {
	Name   string
	Passed bool
	Answer string
}

// Check asks the upstream about everything that the settings name. It sends no
// message. Each check says what was answered.
func (g *Graph) Check(ctx context.Context, accounts map[string]string) []CarrierCheck {
	var checks []CarrierCheck
	add := func(name string, passed bool, answer string) {
		checks = append(checks, CarrierCheck{Name: name, Passed: passed, Answer: answer})
	}
	stored := func(name, secret, there, lacking string) {
		if secret != "" {
			add(name, true, "It is stored."+there)
		} else {
			add(name, false, "There is none"+lacking+" Enter it and save.")
		}
	}
	stored("Access token", g.secret.AccessToken, "", ".")
	stored("App secret", g.secret.AppSecret, " The upstream confirms it with the numbers below.", ", so that no post of the upstream can be verified.")
	if len(g.numbers) == 0 {
		add("Numbers", false, "No number is named, so that nothing can be sent or received.")
	}
	proof := url.Values{}
	if g.secret.AppSecret != "" {
		mac := hmac.New(sha256.New, []byte(g.secret.AppSecret))
		mac.Write([]byte(g.secret.AccessToken))
		proof.Set("appsecret_proof", hex.EncodeToString(mac.Sum(nil)))
	}
	for _, ours := range slices.Sorted(maps.Keys(g.numbers)) {
		answer, err := g.call(ctx, graphCall{method: http.MethodGet, path: g.numbers[ours], query: proof})
		add("Number "+ours, err == nil, answerWords(answer, err, describeNumber))
	}
	for _, ours := range slices.Sorted(maps.Keys(accounts)) {
		answer, err := g.call(ctx, graphCall{method: http.MethodGet, path: accounts[ours] + "/subscribed_apps", query: proof})
		passed := err == nil
		if passed {
			var list struct{ Data []json.RawMessage }
			passed = json.Unmarshal(answer, &list) == nil && len(list.Data) > 0
		}
		add("Account "+ours, passed, answerWords(answer, err, describeApps))
	}
	return checks
}

// GraphAccounts returns the upstream ids of business accounts by ours.
func GraphAccounts(settings json.RawMessage) (map[string]string, error) {
	return models.GraphIDs(settings, "accounts")
}

// answerWords returns what a check was answered.
func answerWords(answer []byte, err error, describe func([]byte) string) string {
	if err != nil {
		return strings.TrimPrefix(err.Error(), "carrier: ")
	}
	return describe(answer)
}

func describeNumber(answer []byte) string {
	var n struct {
		Number  string `json:"display_phone_number"`
		Name    string `json:"verified_name"`
		Quality string `json:"quality_rating"`
		Status  string `json:"status"`
	}
	if json.Unmarshal(answer, &n) != nil || n.Number == "" {
		return "The upstream answered, but without a phone number."
	}
	text := n.Number
	for _, more := range []struct{ label, value string }{{"name", n.Name}, {"quality", n.Quality}, {"status", n.Status}} {
		if more.value != "" {
			text += ", " + more.label + " " + more.value
		}
	}
	return printable(text) + "."
}

func describeApps(answer []byte) string {
	var list struct{ Data []json.RawMessage }
	if json.Unmarshal(answer, &list) != nil || len(list.Data) == 0 {
		return "No application is subscribed, so that nothing is posted. Subscribe it at the upstream."
	}
	return fmt.Sprintf("%d subscribed.", len(list.Data))
}

// CheckWebhook asks the address that the upstream posts to for the answer to a
// challenge, as the upstream does.
func (g *Graph) CheckWebhook(ctx context.Context, address, token string) CarrierCheck {
	check := CarrierCheck{Name: "Webhook address"}
	const challenge = "1158201444"
	query := url.Values{"hub.mode": {"subscribe"}, "hub.verify_token": {token}, "hub.challenge": {challenge}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"?"+query.Encode(), nil)
	if err != nil {
		check.Answer = "The public address of the platform cannot be used."
		return check
	}
	res, err := g.client.Do("", req)
	if err != nil {
		check.Answer = fmt.Sprintf("It does not answer from here: %s", err)
		return check
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, 300)) // a body that was cut short is no answer
	if check.Passed = res.StatusCode == http.StatusOK && string(body) == challenge; check.Passed {
		check.Answer = "It answers challenges."
	} else {
		check.Answer = "It answers " + res.Status + " to a challenge: " + printable(string(body))
	}
	return check
}
