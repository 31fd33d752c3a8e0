package reader

import "slices"

// unfolds reports whether a field that is shown as a whole holds disclosures.
func (f Field) unfolds() bool {
	_, folded := splitEnum(f.Enum)
	return len(folded) > 0 || anyUnfolds(f.Children) || slices.ContainsFunc(f.Variants, func(v Variant) bool { return v.Form.unfolds() })
}

// anyUnfolds reports whether one of the rows holds disclosures: its members are folded
// under their number.
func anyUnfolds(rows []Field) bool {
	return slices.ContainsFunc(rows, func(f Field) bool { return len(f.Children) > 0 || f.unfolds() })
}

// unfolds reports whether a body of a request has disclosures.
func (p EndpointPage) unfolds() bool { return slices.ContainsFunc(p.Bodies, Body.unfolds) }

func (b Body) unfolds() bool { return b.Whole.unfolds() }

// unfolds reports whether the headers or a body of a response have disclosures.
func (r Response) unfolds() bool {
	return anyUnfolds(r.Headers) || slices.ContainsFunc(r.Bodies, Body.unfolds)
}
