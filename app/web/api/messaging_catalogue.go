package api

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/channels/messaging/shop"
	"heliograph/app/channels/pipeline"
	"heliograph/app/input"
	"heliograph/db/models"
)

// messagingCatalogues answers the operations on catalogues.
type messagingCatalogues struct{ shop *shop.Service }

// batchCatalogue serves POST /{catalog-id}/batch.
func (m messagingCatalogues) batchCatalogue(ctx context.Context, c *call, batch shop.Batch) (raw, error) {
	return c.replied(m.shop.Change(ctx, c.params["catalog-id"], batch, pipeline.Key{
		OrganisationID: c.caller.OrganisationID, Body: c.body, Value: c.key(),
	}))
}

type batchInput struct {
	Handle input.Text `json:"handle"`
}

type batchStatus struct {
	Handle           string             `json:"handle"`
	Status           string             `json:"status"`
	Errors           []shop.ChangeError `json:"errors"`
	ErrorsTotalCount int                `json:"errors_total_count"`
}

// checkBatch serves GET /{catalog-id}/check_batch_request_status. A batch is carried out
// before its response, so it is always finished.
func (m messagingCatalogues) checkBatch(ctx context.Context, c *call, in batchInput) (map[string][]batchStatus, error) {
	errors, err := m.shop.BatchErrors(ctx, c.caller.OrganisationID, c.params["catalog-id"], string(in.Handle))
	return map[string][]batchStatus{"data": {{string(in.Handle), "finished", errors, len(errors)}}}, err
}

type productListInput struct {
	listInput
	Filter input.Text `json:"filter"`
}

type product struct {
	ID           string `json:"id"`
	RetailerID   string `json:"retailer_id"`
	Name         string `json:"name"`
	Category     string `json:"category,omitempty"`
	Price        string `json:"price,omitempty"`
	Availability string `json:"availability,omitempty"`
	Description  string `json:"description,omitempty"`
	Brand        string `json:"brand,omitempty"`
	ImageURL     string `json:"image_url,omitempty"`
	GroupID      string `json:"retailer_product_group_id,omitempty"`
}

// listProducts serves GET /{catalog-id}/products.
func (m messagingCatalogues) listProducts(ctx context.Context, c *call, in productListInput) (paged, error) {
	ids, err := in.ids(c)
	if err != nil {
		return paged{}, err
	}
	count := !slices.Contains([]string{"", "0", "false"}, strings.ToLower(string(in.Summary)))
	query := shop.Query{Filter: string(in.Filter), Page: ids, Count: count}
	products, total, err := m.shop.Products(ctx, c.caller.OrganisationID, c.params["catalog-id"], query)
	if err != nil {
		return paged{}, err
	}
	answer, err := list(c, in.listInput, products, func(p models.Article) (string, any) {
		id := strconv.FormatInt(p.ID, 10)
		return id, product{id, p.RetailerID, p.Name, p.Category, price(p.Price, p.Currency), p.Availability, p.Description, p.Brand, p.ImageURL, p.GroupID}
	})
	if count {
		answer.Summary = &summary{TotalCount: total}
	}
	return answer, err
}

var currencySigns = map[string]string{"EUR": "€", "GBP": "£", "INR": "₹", "JPY": "¥", "USD": "$"}

// currencyDigits holds the number of decimals of currencies that do not have two
// (ISO 4217).
var currencyDigits = map[string]int{
	"BHD": 3, "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "IQD": 3, "ISK": 0, "JOD": 3, "JPY": 0, "KMF": 0, "KRW": 0, "KWD": 3,
	"LYD": 3, "OMR": 3, "PYG": 0, "RWF": 0, "TND": 3, "UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
}

// price formats an amount in the smallest unit for people, such as ₹210.00. It
// returns "" if there is none.
func price(amount *int64, currency string) string {
	if amount == nil {
		return ""
	}
	sign, known := currencySigns[currency]
	if !known {
		sign = currency + " "
	}
	digits, odd := currencyDigits[currency]
	if !odd {
		digits = 2
	}
	text := fmt.Sprintf("%0*d", digits+1, *amount)
	if digits == 0 {
		return sign + text
	}
	return sign + text[:len(text)-digits] + "." + text[len(text)-digits:]
}
