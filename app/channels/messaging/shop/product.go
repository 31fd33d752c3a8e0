package shop

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"heliograph/app/input"
	"heliograph/db/models"
)

// change is one request of a batch.
type change struct {
	Method     input.Text `json:"method"`
	RetailerID input.Text `json:"retailer_id"`
	Data       *product   `json:"data"`
	AppLinks   *appLinks  `json:"applinks"`

	problems []string // decoding errors
}

// product holds the fields to set. A nil field is kept.
type product struct {
	Availability *input.Text     `json:"availability"`
	Brand        *input.Text     `json:"brand"`
	Category     *input.Text     `json:"category"`
	Description  *input.Text     `json:"description"`
	ImageURL     *input.Text     `json:"image_url"`
	Name         *input.Text     `json:"name"`
	Price        *input.Integer  `json:"price"`
	Currency     *input.Text     `json:"currency"`
	Condition    *input.Text     `json:"condition"`
	URL          *input.Text     `json:"url"`
	GroupID      *input.Text     `json:"retailer_product_group_id"`
	Shipping     *[]shippingCost `json:"shipping"`
}

type shippingCost struct {
	Country       input.Text `json:"country,omitempty"`
	Region        input.Text `json:"region,omitempty"`
	Service       input.Text `json:"service,omitempty"`
	PriceValue    input.Text `json:"price_value,omitempty"`
	PriceCurrency input.Text `json:"price_currency,omitempty"`
}

type appLinks struct {
	Android []struct {
		AppName input.Text `json:"app_name,omitempty"`
		Package input.Text `json:"package,omitempty"`
		URL     input.Text `json:"url,omitempty"`
	} `json:"android,omitempty"`
	IOS []struct {
		AppName    input.Text    `json:"app_name,omitempty"`
		AppStoreID input.Integer `json:"app_store_id,omitempty"`
		URL        input.Text    `json:"url,omitempty"`
	} `json:"ios,omitempty"`
}

var (
	availabilities = []string{"in stock", "out of stock", "preorder", "available for order", "discontinued"}
	conditions     = []string{"new", "refurbished", "used"}
	currency       = regexp.MustCompile(`^[A-Z]{3}$`)
)

// MaxRetailerID is the longest retailer_id of a product, in characters.
const MaxRetailerID = 100

// readChange decodes one request of a batch. Errors are in problems.
func readChange(raw json.RawMessage) change {
	var c change
	if err := json.Unmarshal(raw, &c); err != nil {
		c.problems = append(c.problems, input.Describe(raw, err))
	}
	c.Method = input.Text(strings.ToUpper(string(c.Method)))
	if !slices.Contains([]input.Text{"CREATE", "UPDATE", "DELETE"}, c.Method) {
		c.problems = append(c.problems, "method must be CREATE, UPDATE or DELETE")
	}
	if n := utf8.RuneCountInString(string(c.RetailerID)); n == 0 || n > MaxRetailerID {
		c.problems = append(c.problems, fmt.Sprintf("retailer_id has %d characters: use 1 to %d", n, MaxRetailerID))
	}
	return c
}

// label returns the retailer id, shortened to its maximum length.
func (c change) label() string {
	if runes := []rune(c.RetailerID); len(runes) > MaxRetailerID {
		return string(runes[:MaxRetailerID])
	}
	return string(c.RetailerID)
}

// apply sets the given fields and returns all errors of the resulting product.
func (c change) apply(to *models.ArticleData) (errors []string) {
	if c.Data != nil {
		errors = c.Data.apply(to)
	}
	if to.Name == "" {
		errors = append(errors, "name is missing: a product needs one")
	}
	if to.Price != nil && to.Currency == "" {
		errors = append(errors, "currency is missing: a price needs one, such as INR")
	}
	if c.AppLinks != nil {
		errors = append(errors, keepJSON("applinks", c.AppLinks, &to.AppLinks)...)
	}
	return errors
}

func (p *product) apply(to *models.ArticleData) (errors []string) {
	for _, field := range []struct {
		name  string
		value *input.Text
		to    *string
		max   int
	}{
		{"availability", p.Availability, &to.Availability, 0}, {"brand", p.Brand, &to.Brand, 100}, {"category", p.Category, &to.Category, 750},
		{"description", p.Description, &to.Description, 9999}, {"image_url", p.ImageURL, &to.ImageURL, 2048}, {"name", p.Name, &to.Name, 200},
		{"currency", p.Currency, &to.Currency, 0}, {"condition", p.Condition, &to.Condition, 0}, {"url", p.URL, &to.URL, 2048},
		{"retailer_product_group_id", p.GroupID, &to.GroupID, 100},
	} {
		if field.value == nil {
			continue
		}
		*field.to = string(*field.value)
		if n := utf8.RuneCountInString(*field.to); field.max > 0 && n > field.max {
			errors = append(errors, fmt.Sprintf("%s has %d characters: use at most %d", field.name, n, field.max))
		}
	}
	to.Availability, to.Condition, to.Currency = strings.ToLower(to.Availability), strings.ToLower(to.Condition), strings.ToUpper(to.Currency)
	if to.Availability != "" && !slices.Contains(availabilities, to.Availability) {
		errors = append(errors, "availability must be one of "+strings.Join(availabilities, ", "))
	}
	if to.Condition != "" && !slices.Contains(conditions, to.Condition) {
		errors = append(errors, "condition must be one of "+strings.Join(conditions, ", "))
	}
	if to.Currency != "" && !currency.MatchString(to.Currency) {
		errors = append(errors, "currency must have three letters, such as INR")
	}
	errors = append(errors, checkHTTPS("image_url", to.ImageURL)...)
	errors = append(errors, checkHTTPS("url", to.URL)...)
	if p.Price != nil {
		price := int64(*p.Price)
		if to.Price = &price; price < 0 {
			errors = append(errors, "price must be 0 or more, in the smallest unit of the currency")
		}
	}
	if p.Shipping != nil {
		errors = append(errors, keepJSON("shipping", p.Shipping, &to.Shipping)...)
	}
	return errors
}

func checkHTTPS(name, address string) []string {
	u, err := url.Parse(address)
	if address == "" || err == nil && u.Scheme == "https" && u.Host != "" {
		return nil
	}
	return []string{name + " must be a complete URL that starts with https://"}
}

// maxKept is the maximum size of a field that is stored as JSON, in bytes.
const maxKept = 64 << 10

func keepJSON(name string, value any, to *json.RawMessage) []string {
	data, err := json.Marshal(value)
	if err != nil || len(data) > maxKept {
		return []string{fmt.Sprintf("%s is longer than %d bytes: send fewer items", name, maxKept)}
	}
	*to = data
	return nil
}
