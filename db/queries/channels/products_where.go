package queries

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/db/models"
)

// productWhere is a condition on products. Operators come from the table below,
// fields are quoted as names, and every value is a parameter.
type productWhere struct {
	strings.Builder
	args []any
}

// filterOperators have the column and the parameter put in.
var filterOperators = map[string]string{
	"eq":         "%[1]s = %[2]s",
	"neq":        "%[1]s is distinct from %[2]s",
	"contains":   "position(%[2]s in %[1]s) > 0",
	"i_contains": "position(lower(%[2]s) in lower(%[1]s)) > 0",
	"is_any":     "%[1]s = any(%[2]s)",
	"lt":         "%[1]s < %[2]s",
	"gt":         "%[1]s > %[2]s",
}

func newProductWhere(catalogueID int64, filter models.ArticleFilter) *productWhere {
	w := &productWhere{}
	w.WriteString("catalogue_id = " + w.param(catalogueID) + " and ")
	w.filter(filter)
	return w
}

// and adds a comparison with a value to the condition.
func (w *productWhere) and(comparison string, value any) {
	w.WriteString(" and " + comparison + w.param(value))
}

func (w *productWhere) param(value any) string {
	w.args = append(w.args, value)
	return "$" + strconv.Itoa(len(w.args))
}

func (w *productWhere) filter(f models.ArticleFilter) {
	if f.Field != "" {
		fmt.Fprintf(w, filterOperators[f.Operator], pgx.Identifier{f.Field}.Sanitize(), w.param(f.Value))
		return
	}
	w.WriteString("(true")
	for _, each := range f.All {
		w.WriteString(" and ")
		w.filter(each)
	}
	for i, each := range f.Any {
		if i == 0 {
			w.WriteString(" and (false")
		}
		w.WriteString(" or ")
		w.filter(each)
	}
	if len(f.Any) > 0 {
		w.WriteString(")")
	}
	w.WriteString(")")
}
