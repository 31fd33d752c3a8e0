package shop

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/input"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// Query selects the products of a catalogue to list.
type Query struct {
	Filter string // JSON as documented, or empty
	Page   models.Page
	Count  bool // also count the products that match the filter
}

// Products lists products by id. It returns one more than the page size if there
// are more. The total is zero unless q.Count is set.
func (s *Service) Products(ctx context.Context, organisationID int64, catalogueID string, q Query) (products []models.Article, total int, err error) {
	id, ok := registry.ParseID(catalogueID)
	if !ok {
		return nil, 0, refusal.NotFound(catalogueID)
	}
	filter, err := parseFilter(q.Filter)
	if err != nil {
		return nil, 0, err
	}
	if products, err = queries.ProductList(ctx, s.pool, organisationID, id, filter, q.Page); err != nil {
		return nil, 0, fmt.Errorf("listing the products of catalogue %d: %w", id, err)
	}
	if len(products) == 0 { // nothing on the page, or not a catalogue of the organisation
		if _, err := registry.Owned(ctx, s.pool, organisationID, catalogueID, "catalogue"); err != nil {
			return nil, 0, err
		}
	}
	if q.Count {
		if total, err = queries.ProductCount(ctx, s.pool, id, filter); err != nil {
			return nil, 0, fmt.Errorf("counting the products of catalogue %d: %w", id, err)
		}
	}
	return products, total, nil
}

const (
	maxFilter      = 4096 // characters
	maxFilterDepth = 8
)

var (
	textOperators   = []string{"eq", "neq", "contains", "i_contains", "is_any", "lt", "gt"}
	numberOperators = []string{"eq", "neq", "is_any", "lt", "gt"}
)

// parseFilter parses a filter such as {"price":{"lt":1000}}.
func parseFilter(text string) (models.ArticleFilter, error) {
	if text == "" {
		return models.ArticleFilter{}, nil
	}
	if n := utf8.RuneCountInString(text); n > maxFilter {
		return models.ArticleFilter{}, badFilter("filter has %d characters: use at most %d", n, maxFilter)
	}
	return readFilter([]byte(text), maxFilterDepth)
}

func badFilter(format string, args ...any) error {
	return refusal.New(refusal.Invalid, "filter", format, args...)
}

// readFilter decodes a filter object. A product must match all of its members.
func readFilter(raw json.RawMessage, depth int) (f models.ArticleFilter, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || members == nil {
		return f, badFilter(`filter must be a JSON object such as {"availability":{"eq":"in stock"}}`)
	}
	if depth == 0 {
		return f, badFilter("filter has more than %d levels: use fewer", maxFilterDepth)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var part models.ArticleFilter
		if name == "and" || name == "or" {
			part, err = readCombination(name, members[name], depth)
		} else {
			part, err = readComparisons(name, members[name])
		}
		if err != nil {
			return f, err
		}
		f.All = append(f.All, part)
	}
	return f, nil
}

func readCombination(name string, raw json.RawMessage, depth int) (f models.ArticleFilter, err error) {
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil || len(parts) == 0 {
		return f, badFilter("%s must be a list of filters", name)
	}
	filters := make([]models.ArticleFilter, len(parts))
	for i, part := range parts {
		if filters[i], err = readFilter(part, depth-1); err != nil {
			return f, err
		}
	}
	if name == "and" {
		return models.ArticleFilter{All: filters}, nil
	}
	return models.ArticleFilter{Any: filters}, nil
}

// readComparisons decodes the operators and values of a field.
func readComparisons(field string, raw json.RawMessage) (f models.ArticleFilter, err error) {
	number, known := models.ArticleFields[field]
	if !known {
		return f, badFilter("field %.40q is unknown: use %s", field, strings.Join(slices.Sorted(maps.Keys(models.ArticleFields)), ", "))
	}
	operators := textOperators
	if number {
		operators = numberOperators
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || len(members) == 0 {
		return f, badFilter(`%s must have an operator and a value such as {"eq":"…"}`, field)
	}
	for _, operator := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(operators, operator) {
			return f, badFilter("operator %.40q is unknown for %s: use %s", operator, field, strings.Join(operators, ", "))
		}
		value, err := readOperand(members[operator], number, operator == "is_any")
		if err != nil {
			return f, badFilter("%s cannot have this value for %s: %s", operator, field, input.Describe(members[operator], err))
		}
		f.All = append(f.All, models.ArticleFilter{Field: field, Operator: operator, Value: value})
	}
	return f, nil
}

// readOperand decodes one value, or a list of several, to the type that
// models.ArticleFilter expects.
func readOperand(raw json.RawMessage, number, several bool) (any, error) {
	list := []json.RawMessage{raw}
	if several && string(raw) != "null" {
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
	}
	numbers, texts := make([]int64, len(list)), make([]string, len(list))
	for i, each := range list {
		var n input.Integer
		var t input.Text
		into := any(&t)
		if number {
			into = &n
		}
		if string(each) == "null" {
			return nil, &json.UnmarshalTypeError{Value: "null", Type: reflect.TypeFor[input.Text]()}
		}
		if err := json.Unmarshal(each, into); err != nil {
			return nil, err
		}
		numbers[i], texts[i] = int64(n), string(t)
	}
	switch {
	case number && several:
		return numbers, nil
	case number:
		return numbers[0], nil
	case several:
		return texts, nil
	}
	return texts[0], nil
}
