package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db/models"
)

type qrCodeInput struct {
	listInput
	Code             input.Text `json:"code"`
	PrefilledMessage input.Text `json:"prefilled_message"`
	GenerateQRImage  input.Text `json:"generate_qr_image"`
}

type qrCode struct {
	Code             string `json:"code"`
	PrefilledMessage string `json:"prefilled_message"`
	DeepLinkURL      string `json:"deep_link_url"`
	QRImageURL       string `json:"qr_image_url"`
}

// messagingQRCodes answers the operations on QR codes.
type messagingQRCodes struct {
	numbers *assets.Numbers
	codes   *assets.QRCodes
	once    func(ctx context.Context, key pipeline.Key, work func(tx pgx.Tx) (any, error)) (pipeline.Reply, error)
}

func (m messagingQRCodes) newQRCode(c models.QRCode, format string) qrCode {
	return qrCode{c.Code, c.Message, m.codes.QRLink(c.Code), m.codes.QRImageURL(c.Code, format)}
}

// format returns PNG or SVG, given in any case. PNG is the default.
func format(name string) (string, error) {
	switch name = strings.ToLower(name); name {
	case "":
		return "png", nil
	case "png", "svg":
		return name, nil
	}
	return "", &fault.Error{Kind: fault.Invalid, Code: "100", Message: "Invalid parameter",
		Fields: []fault.Field{{Name: "generate_qr_image", Message: "an image is made as PNG or SVG"}}}
}

// listQRCodes serves GET /business/{businessPhoneNumberId}/message_qrdls.
func (m messagingQRCodes) listQRCodes(ctx context.Context, c *call, number models.PhoneNumber, in qrCodeInput) (paged, error) {
	ids, err := in.ids(c)
	if err != nil {
		return paged{}, err
	}
	_, wanted, _ := strings.Cut(string(in.Fields), "qr_image_url.format(")
	wanted, _, _ = strings.Cut(wanted, ")")
	form, err := format(wanted)
	if err != nil {
		return paged{}, err
	}
	codes, err := m.codes.QRCodes(ctx, number, string(in.Code), ids)
	if err != nil {
		return paged{}, err
	}
	return list(c, in.listInput, codes, func(q models.QRCode) (string, any) {
		return strconv.FormatInt(q.Position, 10), m.newQRCode(q, form)
	})
}

// getQRCode serves GET …/message_qrdls/{code}: a list with one code.
func (m messagingQRCodes) getQRCode(ctx context.Context, c *call, number models.PhoneNumber, in qrCodeInput) (paged, error) {
	in.Code = input.Text(c.params["code"])
	answer, err := m.listQRCodes(ctx, c, number, in)
	if err == nil && len(answer.Data) == 0 {
		err = assets.MissingQRCode(c.params["code"])
	}
	return answer, err
}

// saveQRCode serves POST /business/{businessPhoneNumberId}/message_qrdls. It changes
// the message of the given code, or creates a code if none is given.
func (m messagingQRCodes) saveQRCode(ctx context.Context, c *call, number models.PhoneNumber, in qrCodeInput) (raw, error) {
	form, err := format(string(in.GenerateQRImage))
	if err != nil {
		return nil, err
	}
	request := pipeline.Key{
		OrganisationID: c.caller.OrganisationID, Route: "message_qrdls/" + strconv.FormatInt(number.ID, 10), Value: c.key(),
		Body: []byte(c.query.Encode() + "\n" + string(c.body)), // either may contain the message
	}
	return c.replied(m.once(ctx, request, func(tx pgx.Tx) (any, error) {
		q, err := m.codes.SaveQRCode(ctx, tx, models.QRCode{Code: string(in.Code), PhoneNumberID: number.ID, Message: string(in.PrefilledMessage)})
		return m.newQRCode(q, form), err
	}))
}

// deleteQRCode serves DELETE …/message_qrdls/{code}.
func (m messagingQRCodes) deleteQRCode(ctx context.Context, c *call, number models.PhoneNumber, _ none) (success, error) {
	return success{true}, m.codes.DeleteQRCode(ctx, number, c.params["code"])
}

// qrRows returns the operations on QR codes, under the documented path and the
// shorter one that partners' clients use.
func (m messagingQRCodes) qrRows() []operation {
	var rows []operation
	for _, path := range []string{"/business/{businessPhoneNumberId}/message_qrdls", "/{businessPhoneNumberId}/message_qrdls"} {
		all := []operation{
			op("listQRCodes", http.MethodGet, path, ofNumber(m.numbers, m.listQRCodes)),
			op("saveQRCode", http.MethodPost, path, ofNumber(m.numbers, m.saveQRCode)),
			op("getQRCode", http.MethodGet, path+"/{code}", ofNumber(m.numbers, m.getQRCode)),
			op("deleteQRCode", http.MethodDelete, path+"/{code}", ofNumber(m.numbers, m.deleteQRCode)),
		}
		for _, o := range all {
			o.extra = o.extra || !strings.HasPrefix(path, "/business/")
			rows = append(rows, o.at(messaging.RateManagement))
		}
	}
	return rows
}
