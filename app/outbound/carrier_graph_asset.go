package outbound

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// GraphProfile is the public profile of a number at an upstream.
type GraphProfile struct {
	About       string   `json:"about"`
	Address     string   `json:"address"`
	Description string   `json:"description"`
	Email       string   `json:"email"`
	Vertical    string   `json:"vertical"`
	Websites    []string `json:"websites"`
	Picture     string   `json:"-"` // handle of a new one
}

// profileFields are the members of a profile that are read.
const profileFields = "about,address,description,email,vertical,websites"

// graphAssets are what an upstream keeps of numbers and catalogues.
type graphAssets struct{ *graphClient }

func (g graphAssets) profilePath(number string) string {
	return url.PathEscape(number) + "/" + g.product + "_business_profile"
}

// Profile reads the profile of a number.
func (g graphAssets) Profile(ctx context.Context, number string) (p GraphProfile, err error) {
	answer, err := g.call(ctx, graphCall{method: http.MethodGet, path: g.profilePath(number), query: url.Values{"fields": {profileFields}}})
	if err != nil {
		return p, err
	}
	var list struct{ Data []GraphProfile }
	if err := json.Unmarshal(answer, &list); err != nil || len(list.Data) == 0 {
		return p, g.unreadable("a profile", answer)
	}
	return list.Data[0], nil
}

// SetProfile replaces the profile of a number. Members that have to have a value and
// have none are left as they are.
func (g graphAssets) SetProfile(ctx context.Context, number string, p GraphProfile) error {
	change := map[string]any{"messaging_product": g.product, "address": p.Address, "description": p.Description, "email": p.Email, "websites": p.Websites}
	if p.Websites == nil {
		change["websites"] = []string{}
	}
	for name, value := range map[string]string{"about": p.About, "vertical": p.Vertical, "profile_picture_handle": p.Picture} {
		if value != "" {
			change[name] = value
		}
	}
	return g.post(ctx, g.profilePath(number), change, nil)
}

// Upload gives a file to the upstream in one step and returns its handle.
func (g graphAssets) Upload(ctx context.Context, f GraphFile, size int64) (handle string, err error) {
	query := url.Values{"file_length": {strconv.FormatInt(size, 10)}, "file_type": {f.Type}, "file_name": {f.Name}}
	var session struct{ ID string }
	answer, err := g.call(ctx, graphCall{method: http.MethodPost, path: "app/uploads", query: query})
	if err != nil {
		return "", err
	}
	if json.Unmarshal(answer, &session) != nil || !strings.HasPrefix(session.ID, "upload:") {
		return "", g.unreadable("an upload", answer)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.base+"/"+session.ID, f.Body)
	if err != nil {
		return "", waitForGraph("The address of the carrier is wrong", "")
	}
	req.ContentLength = size
	req.Header.Set("Content-Type", f.Type)
	req.Header.Set("file_offset", "0")
	res, err := g.request(g.files, req, graphCall{})
	if err != nil {
		return "", err
	}
	body, err := g.read(res, 0)
	if err != nil {
		return "", err
	}
	var kept struct{ H string }
	if json.Unmarshal(body, &kept) != nil || kept.H == "" {
		return "", g.unreadable("a file", body)
	}
	return kept.H, nil
}

// EncryptionKey reads the public key of a number and what the upstream says about its
// signature. Both are empty if it has none.
func (g graphAssets) EncryptionKey(ctx context.Context, number string) (key, state string, err error) {
	answer, err := g.call(ctx, graphCall{method: http.MethodGet, path: g.keyPath(number)})
	if err != nil {
		return "", "", err
	}
	type publicKey struct {
		Key   string `json:"business_public_key"`
		State string `json:"business_public_key_signature_status"`
	}
	var said struct {
		publicKey
		Data []publicKey `json:"data"`
	}
	if err := json.Unmarshal(answer, &said); err != nil {
		return "", "", g.unreadable("a key", answer)
	}
	if len(said.Data) > 0 {
		said.publicKey = said.Data[0]
	}
	return strings.TrimSpace(said.Key), printable(said.State), nil
}

func (g graphAssets) keyPath(number string) string {
	return url.PathEscape(number) + "/" + g.product + "_business_encryption"
}

// SetEncryptionKey sets the public key of a number. The upstream takes it as a form.
func (g graphAssets) SetEncryptionKey(ctx context.Context, number, key string) error {
	form := url.Values{"business_public_key": {key}}
	_, err := g.call(ctx, graphCall{method: http.MethodPost, path: g.keyPath(number), body: []byte(form.Encode()), contentType: "application/x-www-form-urlencoded"})
	return err
}

// GraphCode is a QR code of a number at an upstream.
type GraphCode struct {
	Code    string `json:"code"`
	Message string `json:"prefilled_message"`
	Link    string `json:"deep_link_url"`
}

// mostPages bounds the pages of a list that are read.
const mostPages = 100

// ListCodes calls each with every QR code of a number.
func (g graphAssets) ListCodes(ctx context.Context, number string, each func(GraphCode)) error {
	query := url.Values{"limit": {"100"}}
	for range mostPages {
		answer, err := g.call(ctx, graphCall{method: http.MethodGet, path: url.PathEscape(number) + "/message_qrdls", query: query})
		if err != nil {
			return err
		}
		var page struct {
			Data   []GraphCode
			Paging struct {
				Cursors struct{ After string }
				Next    string
			}
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return g.unreadable("a list of QR codes", answer)
		}
		for _, c := range page.Data {
			each(c)
		}
		if page.Paging.Next == "" || page.Paging.Cursors.After == "" {
			return nil
		}
		query.Set("after", page.Paging.Cursors.After)
	}
	return nil
}

// SaveCode changes the message of a QR code, or creates one if it has no code yet.
func (g graphAssets) SaveCode(ctx context.Context, number string, c GraphCode) (saved GraphCode, err error) {
	change := map[string]any{"prefilled_message": c.Message}
	if c.Code != "" {
		change["code"] = c.Code
	} else {
		change["generate_qr_image"] = "SVG"
	}
	if err := g.post(ctx, url.PathEscape(number)+"/message_qrdls", change, &saved); err != nil {
		return saved, err
	}
	if saved.Code == "" {
		return saved, fmt.Errorf("the carrier %s made a QR code and gave no code", g.name)
	}
	return saved, nil
}

// DeleteCode deletes a QR code. One that is gone already is no error.
func (g graphAssets) DeleteCode(ctx context.Context, number, code string) error {
	_, err := g.call(ctx, graphCall{method: http.MethodDelete, path: url.PathEscape(number) + "/message_qrdls/" + url.PathEscape(code)})
	var refusal *CarrierError
	if errors.As(err, &refusal) && !refusal.Temporary {
		return nil
	}
	return err
}

// GraphProduct is a change of a product of a catalogue at an upstream.
type GraphProduct struct {
	Method     string         `json:"method"` // UPDATE or DELETE
	RetailerID string         `json:"retailer_id"`
	Data       map[string]any `json:"data,omitempty"`
}

// ChangeProducts makes changes in a catalogue. The refused ones come back with the
// reason. The upstream goes on with the others in a batch.
func (g graphAssets) ChangeProducts(ctx context.Context, catalogue string, changes []GraphProduct) (batch string, refused map[string]string, err error) {
	var answer struct {
		Handles    []string `json:"handles"`
		Validation []struct {
			RetailerID string `json:"retailer_id"`
			Errors     []struct {
				Message string `json:"message"`
			} `json:"errors"`
		} `json:"validation_status"`
	}
	if err := g.post(ctx, url.PathEscape(catalogue)+"/batch", map[string]any{"allow_upsert": true, "requests": changes}, &answer); err != nil {
		return "", nil, err
	}
	refused = map[string]string{}
	for _, v := range answer.Validation {
		for _, e := range v.Errors {
			refused[v.RetailerID] = strings.TrimSpace(refused[v.RetailerID] + " " + printable(e.Message))
		}
	}
	if len(answer.Handles) > 0 {
		batch = answer.Handles[0]
	}
	return batch, refused, nil
}

// BatchErrors reads how a batch ended: why which products were refused, by their retailer
// ids. A batch that is unknown has ended.
func (g graphAssets) BatchErrors(ctx context.Context, catalogue, batch string) (ended bool, refused map[string]string, err error) {
	answer, err := g.call(ctx, graphCall{method: http.MethodGet, path: url.PathEscape(catalogue) + "/check_batch_request_status", query: url.Values{"handle": {batch}}})
	var refusal *CarrierError
	if errors.As(err, &refusal) && !refusal.Temporary {
		return true, nil, nil
	}
	if err != nil {
		return false, nil, err
	}
	var said struct {
		Data []struct {
			Status string `json:"status"`
			Errors []struct {
				ID      string `json:"id"`
				Message string `json:"message"`
			} `json:"errors"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer, &said); err != nil {
		return false, nil, g.unreadable("a batch", answer)
	}
	if len(said.Data) == 0 {
		return true, nil, nil
	}
	refused = map[string]string{}
	for _, e := range said.Data[0].Errors {
		refused[e.ID] = strings.TrimSpace(refused[e.ID] + " " + printable(e.Message))
	}
	return said.Data[0].Status != "in_progress" && said.Data[0].Status != "started", refused, nil
}

// GraphPayment is the payment of an order at an upstream.
type GraphPayment struct {
	Status      string // in capitals
	Transaction string // id of the newest attempt; may be empty
	At          time.Time
}

// Payment reads the payment of an order of a number.
func (g graphAssets) Payment(ctx context.Context, number, configuration, reference string) (p GraphPayment, err error) {
	answer, err := g.call(ctx, graphCall{method: http.MethodGet, path: url.PathEscape(number) + "/payments/" + url.PathEscape(configuration) + "/" + url.PathEscape(reference)})
	if err != nil {
		return p, err
	}
	var said struct {
		Payments []struct {
			Status       string `json:"status"`
			Transactions []struct {
				ID      string `json:"id"`
				Updated int64  `json:"updated_timestamp"`
			} `json:"transactions"`
		} `json:"payments"`
	}
	if err := json.Unmarshal(answer, &said); err != nil || len(said.Payments) == 0 {
		return p, g.unreadable("a payment", answer)
	}
	p.Status, p.At = strings.ToUpper(said.Payments[0].Status), time.Now()
	if n := len(said.Payments[0].Transactions); n > 0 {
		p.Transaction = said.Payments[0].Transactions[n-1].ID
	}
	return p, nil
}
