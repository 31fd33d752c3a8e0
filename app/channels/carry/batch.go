package carry

import (
	"context"
	"sync"

	"heliograph/app/channels/pipeline"
	"heliograph/app/outbound"
	"heliograph/db/models"
)

// batch holds messages of a job. The ones to be recorded before they are dialled are
// prepared one after the other and recorded by one statement, unless that takes requests.
type batch struct {
	engine   *Engine
	results  chan carried
	wg       sync.WaitGroup
	expected bool // where hand-overs are recorded
	joined   []member
}

// member is a message that is recorded with others.
type member struct {
	*handover
	part, prepared pipeline.Part
}

// leave says that nothing is recorded, unless something was.
func (c *batch) leave() {
	if c.expected {
		c.expected = false
		c.engine.records.started.Leave()
	}
}

// join adds a message that was opened. joined is false if it goes by itself, because
// something may take time before it is recorded.
func (c *batch) join(ctx context.Context, h *handover) (joined bool) {
	part, ok := c.part(ctx, h)
	if !ok || len(c.joined) == cap(c.engine.slots) {
		return false
	}
	c.joined = append(c.joined, member{handover: h, part: part})
	return true
}

// part returns the only part of a message that can be prepared at once and has to be
// recorded before it is dialled.
func (c *batch) part(ctx context.Context, h *handover) (part pipeline.Part, ok bool) {
	if h.attempt > 1 || h.message.Parts > 1 || c.engine.findCarrier(ctx, h) != nil || h.carrier.Traits().Idempotent {
		return part, false
	}
	if files, err := h.channel.RemoteFiles(h.message); err != nil || len(files) > 0 {
		return part, false
	}
	parts, err := h.channel.SplitMessage(h.message)
	if err != nil || len(parts) != 1 {
		return part, false
	}
	if preparer, ok := h.carrier.(outbound.Preparer); ok && preparer.Requests(parts[0].Payload) {
		return part, false
	}
	return parts[0], true
}

// start hands the messages over that joined.
func (c *batch) start(ctx context.Context) {
	if len(c.joined) == 0 {
		c.leave()
		return
	}
	expected := c.expected
	c.expected = false
	c.wg.Go(func() {
		ready, err := c.prepare(ctx)
		if len(ready) == 0 {
			if expected {
				c.engine.records.started.Leave()
			}
			if err != nil {
				for _, m := range c.joined {
					c.results <- carried{m.handover, err}
				}
			}
			return
		}
		c.record(ctx, ready)
	})
}

// prepare waits for slots, and prepares the messages. It returns the ones that have only
// to be recorded and dialled. After an error none of them has a slot.
func (c *batch) prepare(ctx context.Context) (ready []member, err error) {
	if err := c.engine.takeSlots(ctx, len(c.joined)); err != nil {
		return nil, err
	}
	for _, m := range c.joined {
		prepared, ok, err := m.handover.prepare(ctx, m.part)
		if err != nil || !ok {
			c.end(m.handover, err)
			continue
		}
		m.prepared = prepared
		ready = append(ready, m)
	}
	return ready, nil
}

// takeSlots waits for the slots of so many hand-overs. One batch waits at a time, so that
// two with half of their slots cannot wait for each other.
func (e *Engine) takeSlots(ctx context.Context, n int) error {
	select {
	case e.batches <- struct{}{}:
		defer func() { <-e.batches }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for taken := range n {
		select {
		case e.slots <- struct{}{}:
		case <-ctx.Done():
			for range taken {
				<-e.slots
			}
			return ctx.Err()
		}
	}
	return nil
}

// record records messages, and dials them all at once.
func (c *batch) record(ctx context.Context, ready []member) {
	r := c.engine.records
	carriages := make([]models.Carriage, len(ready))
	for i, m := range ready {
		carriages[i] = m.carriage(m.part)
	}
	numbers, err := r.start(ctx, r.started.DoExpected, false, carriages...)
	for i, m := range ready {
		if err != nil && ctx.Err() != nil {
			c.end(m.handover, err)
			continue
		}
		c.wg.Go(func() {
			if err == nil {
				c.end(m.handover, m.dialAs(ctx, r, numbers[i]))
			} else { // one message cannot spoil the others
				c.end(m.handover, m.sendParts(ctx, r))
			}
		})
	}
}

// dialAs dials a message with the number of its recorded hand-over, 0 if it was handed
// over before.
func (m member) dialAs(ctx context.Context, r *records, number int) error {
	if m.number = number; number > 0 {
		return m.dial(ctx, r, m.prepared)
	}
	known, err := r.find(ctx, m.message)
	if err != nil {
		return err
	}
	return m.proceed(ctx, r, m.part, known)
}

// end passes the result of a hand-over on, and frees its slot.
func (c *batch) end(h *handover, err error) {
	<-c.engine.slots
	h.delayed = err != nil
	c.results <- carried{h, err}
}
