package outbound

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// GraphHealth is what an upstream says about a number or an account.
type GraphHealth struct {
	State   string // in the words of the upstream
	Quality string // of a number
	Problem string // why messages are held back; empty if they are not
}

// healthFields are the members that are asked for.
const (
	numberHealthFields  = "id,display_phone_number,status,quality_rating,health_status"
	accountHealthFields = "id,name,account_review_status,health_status"
)

// fineStates are the states in which messages are taken.
var fineStates = map[string]bool{"": true, "CONNECTED": true, "APPROVED": true, "PENDING": true, "AVAILABLE": true}

// NumberHealth asks the upstream about a number. An answer that the token is wrong or the
// number unknown is a problem, too. An error says that nothing is known.
func (g *Graph) NumberHealth(ctx context.Context, upstreamID string) (GraphHealth, error) {
	return g.health(ctx, upstreamID, numberHealthFields)
}

// AccountHealth is NumberHealth for a business account.
func (g *Graph) AccountHealth(ctx context.Context, upstreamID string) (GraphHealth, error) {
	return g.health(ctx, upstreamID, accountHealthFields)
}

func (g *Graph) health(ctx context.Context, upstreamID, fields string) (h GraphHealth, err error) {
	res, err := g.do(ctx, g.client, graphCall{method: http.MethodGet, path: url.PathEscape(upstreamID), query: url.Values{"fields": {fields}}})
	if err != nil {
		return h, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, longestAnswer))
	if err != nil {
		return h, err
	}
	switch {
	case res.StatusCode >= 400 && res.StatusCode < 500 && res.StatusCode != http.StatusTooManyRequests:
		var answer struct{ Error graphFault }
		if json.Unmarshal(body, &answer) != nil || answer.Error.Code == 0 {
			return h, graphError(g.name, res, body, 0)
		}
		h.Problem = strings.TrimSpace("The upstream answers " + strconv.Itoa(answer.Error.Code) + " " + printable(cmp.Or(answer.Error.Message, answer.Error.Data.Details)))
		return h, nil
	case res.StatusCode >= 300:
		return h, graphError(g.name, res, body, 0)
	}
	var said struct {
		Status  string `json:"status"`
		Review  string `json:"account_review_status"`
		Quality string `json:"quality_rating"`
		Health  struct {
			CanSend  string `json:"can_send_message"`
			Entities []struct {
				CanSend string `json:"can_send_message"`
				Errors  []struct {
					Code        int    `json:"error_code"`
					Description string `json:"error_description"`
				} `json:"errors"`
			} `json:"entities"`
		} `json:"health_status"`
	}
	if err := json.Unmarshal(body, &said); err != nil {
		return h, graphError(g.name, res, body, 0)
	}
	h.State, h.Quality = printable(cmp.Or(said.Status, said.Review)), printable(said.Quality)
	switch {
	case said.Health.CanSend == "BLOCKED" || said.Health.CanSend == "LIMITED":
		h.Problem = "Sending is " + said.Health.CanSend + "."
		for _, entity := range said.Health.Entities {
			for _, e := range entity.Errors {
				h.Problem += " " + strconv.Itoa(e.Code) + " " + strings.TrimSuffix(printable(e.Description), ".") + "."
			}
		}
	case !fineStates[h.State]:
		h.Problem = "It is " + h.State + "."
	case h.Quality == "RED":
		h.Problem = "Its quality is RED, so that the upstream may hold messages back."
	}
	return h, nil
}
