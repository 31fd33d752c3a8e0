package insight

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/metric"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/operation/writes"
)

func itoa(n int) string { return strconv.Itoa(n) }

// writePause is how often counts are written. A process that is killed loses the counts of
// this time at most.
const writePause = 5 * time.Second

// mostBatches is how many batches wait for a database that is away. What is counted later
// joins the last one.
const mostBatches = 3

// Run writes what is counted until ctx ends, and then the rest.
func (c *Counter) Run(ctx context.Context) {
	db.WriteEvery(ctx, writePause, "counts of readers could not be written; they are kept and tried again", c.Write)
}

// Write writes everything that was counted until now. When it could not be written, a batch is
// written again as it was: the database knows whether it has it.
func (c *Counter) Write(ctx context.Context) error {
	taken := c.take()
	for {
		c.mu.Lock()
		if len(c.failed) == 0 {
			c.mu.Unlock()
			if taken {
				return nil
			}
			taken = c.take() // there was no room for it before
			continue
		}
		first := c.failed[0]
		c.mu.Unlock()
		if err := c.write(ctx, first); err != nil {
			metric.Counted("failed")
			return err
		}
		metric.Counted("written")
		c.mu.Lock()
		c.failed = c.failed[1:]
		c.mu.Unlock()
	}
}

// take ends the batch that is being counted. It returns false if there is no room for
// another one.
func (c *Counter) take() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.batch.views)+len(c.batch.events) == 0 {
		return true
	}
	if len(c.failed) >= mostBatches {
		return false
	}
	c.batch.id = uuid.New()
	c.failed = append(c.failed, c.batch)
	c.batch = newBatch()
	return true
}

// write writes one batch in one transaction.
func (c *Counter) write(ctx context.Context, b batch) error {
	views, totals, days := b.rows(c.zone)
	return db.InTx(ctx, c.db, func(tx pgx.Tx) error {
		fresh, err := writes.InsightBatchInsert(ctx, tx, b.id)
		if err != nil || !fresh {
			return err
		}
		if err := writes.InsightViewAdd(ctx, tx, views); err != nil {
			return fmt.Errorf("writing views: %w", err)
		}
		if err := writes.InsightTotalAdd(ctx, tx, totals); err != nil {
			return fmt.Errorf("writing sums of views: %w", err)
		}
		if err := writes.InsightDayAdd(ctx, tx, days); err != nil {
			return fmt.Errorf("writing counts of a day: %w", err)
		}
		return nil
	})
}

// rows returns the rows of a batch, sorted, so that processes that write at once never
// wait for each other in a circle.
func (b *batch) rows(zone *time.Location) (views []models.InsightView, totals []models.InsightTotal, days []models.InsightDay) {
	type viewRow struct {
		grain string
		start int64
		page  string
		by    Reader
	}
	type totalRow struct {
		grain         string
		start         int64
		product, kind string
		by            Reader
	}
	pages, sums := map[viewRow]models.InsightView{}, map[totalRow]models.InsightTotal{}
	for k, n := range b.views {
		began := time.Unix(k.hour, 0)
		for grain, start := range map[string]time.Time{Hour: began, Day: dayOf(began, zone), Month: monthOf(began, zone)} {
			at := viewRow{grain, start.Unix(), k.page.Path, k.reader}
			v := pages[at]
			pages[at] = models.InsightView{
				Grain:   grain,
				Start:   start,
				Page:    k.page.Path,
				Reader:  string(k.reader),
				Kind:    k.page.Kind,
				Product: k.page.Product,
				Version: k.page.Version,
				Count:   v.Count + n,
			}
			sum := totalRow{grain, start.Unix(), k.page.Product, k.page.Kind, k.reader}
			s := sums[sum]
			sums[sum] = models.InsightTotal{Grain: grain, Start: start, Product: k.page.Product, Kind: k.page.Kind, Reader: string(k.reader), Count: s.Count + n}
		}
	}
	views = slices.SortedFunc(maps.Values(pages), func(a, b models.InsightView) int {
		return cmp.Or(cmp.Compare(a.Grain, b.Grain), a.Start.Compare(b.Start), cmp.Compare(a.Page, b.Page), cmp.Compare(a.Reader, b.Reader))
	})
	totals = slices.SortedFunc(maps.Values(sums), func(a, b models.InsightTotal) int {
		return cmp.Or(cmp.Compare(a.Grain, b.Grain), a.Start.Compare(b.Start), cmp.Compare(a.Product, b.Product), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Reader, b.Reader))
	})
	for k, n := range b.events {
		days = append(days, models.InsightDay{
			What:    k.event.What,
			Day:     time.Unix(k.day, 0).UTC(),
			Product: k.event.Product,
			Version: k.event.Version,
			Name:    k.event.Name,
			Detail:  k.event.Detail,
			Count:   n,
		})
	}
	slices.SortFunc(days, compareDays)
	return views, totals, days
}

func compareDays(a, b models.InsightDay) int {
	return cmp.Or(
		cmp.Compare(a.What, b.What),
		a.Day.Compare(b.Day),
		cmp.Compare(a.Product, b.Product),
		cmp.Compare(a.Version, b.Version),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.Detail, b.Detail),
	)
}
