package db

import "context"

// Loader reads rows by their ids for callers who share queries, by the rules of
// [Group].
type Loader[ID comparable, Row any] struct {
	group *Group[*load[ID, Row]]
}

// load is what one caller asks for.
type load[ID comparable, Row any] struct {
	ids  []ID
	rows []Row
}

// NewLoader makes a loader. list returns the rows that have one of the ids, in any
// order, and id returns the id of one.
func NewLoader[ID comparable, Row any](list func(ctx context.Context, ids []ID) ([]Row, error), id func(Row) ID) *Loader[ID, Row] {
	return &Loader[ID, Row]{NewGroup(func(ctx context.Context, loads []*load[ID, Row]) error {
		var ids []ID
		for _, l := range loads {
			ids = append(ids, l.ids...)
		}
		rows, err := list(ctx, ids)
		if err != nil {
			return err
		}
		byID := make(map[ID]Row, len(rows))
		for _, row := range rows {
			byID[id(row)] = row
		}
		for _, l := range loads {
			l.rows = nil // a group that failed is tried again
			for _, id := range l.ids {
				if row, ok := byID[id]; ok {
					l.rows = append(l.rows, row)
				}
			}
		}
		return nil
	})}
}

// Load returns the rows that have the ids, in their order, without those that do not
// exist.
func (l *Loader[ID, Row]) Load(ctx context.Context, ids ...ID) ([]Row, error) {
	mine := &load[ID, Row]{ids: ids}
	if err := l.group.Do(ctx, mine); err != nil {
		return nil, err
	}
	return mine.rows, nil
}
