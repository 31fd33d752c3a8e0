// Package metric is the list of what the program counts of itself for its
// operators. /metrics shows it in the text format of Prometheus, beside what the
// Go runtime, the process and the HTTP server tell; the README says what each
// means and when to wake up.
//
// Counts are of this process since it began. No label holds anything that
// somebody outside chooses, so that the number of series is bounded, and none
// holds a name, number or address of anybody.
package metric

import (
	"cmp"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// seconds are the bounds of histograms of what should take milliseconds and may
// take minutes.
var seconds = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 1800}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "heliograph_" + name, Help: help}, labels)
}

func histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "heliograph_" + name, Help: help, Buckets: seconds}, labels)
}

var (
	jobs          = counter("jobs_total", "Attempts at jobs by kind and how they ended: done, snoozed, failed, discarded, cancelled or interrupted.", "kind", "outcome")
	jobDuration   = histogram("job_duration_seconds", "Time that an attempt at a job took.", "kind")
	messageSent   = histogram("message_sent_seconds", "Time from accepting a message to its carrier taking it.", "channel")
	messages      = counter("messages_total", "Reports of messages by channel and the state that they reached.", "channel", "state")
	callbacks     = counter("callbacks_total", "Attempts at callbacks by how they ended: delivered, failed or gone (410).", "outcome")
	callback      = histogram("callback_duration_seconds", "Time that webhooks took to answer.")
	notifications = counter("notifications_total", "Attempts at SMS and emails by kind and how they ended: sent, failed or again.", "kind", "outcome")
	codes         = counter("codes_total", "One-time passwords by country of the number and what happened: sent, verified or wrong.", "country", "event")
	limited       = counter("limited_total", "Requests that a limit refused, by its name.", "limit")
	refused       = counter("dials_refused_total", "Connections that were not made because their address is not public.")
)

// Register shows the measures in a registry.
func Register(r prometheus.Registerer) {
	r.MustRegister(jobs, jobDuration, messageSent, messages, callbacks, callback, notifications, codes, limited, refused)
}

// Job counts an attempt at a job of a kind that ended in one of the ways of
// heliograph_jobs_total.
func Job(kind, outcome string, took time.Duration) {
	jobs.WithLabelValues(kind, outcome).Inc()
	jobDuration.WithLabelValues(kind).Observe(took.Seconds())
}

// Message counts a message that reached a state, and at "sent" how long after
// it was accepted.
func Message(channel, state string, since time.Duration) {
	messages.WithLabelValues(channel, state).Inc()
	if state == "sent" {
		messageSent.WithLabelValues(channel).Observe(since.Seconds())
	}
}

// Callback counts an attempt at a callback: delivered, failed or gone.
func Callback(outcome string, took time.Duration) {
	callbacks.WithLabelValues(outcome).Inc()
	callback.WithLabelValues().Observe(took.Seconds())
}

// Notification counts an attempt at an SMS or an email (the kind): sent, failed
// or again.
func Notification(kind, outcome string) { notifications.WithLabelValues(kind, outcome).Inc() }

// Code counts what happened to a one-time password for a number of a country
// (ISO 3166-1 alpha-2, or empty): sent, verified or wrong.
func Code(country, event string) { codes.WithLabelValues(cmp.Or(country, "ZZ"), event).Inc() }

// Limited counts a request that the limit of this name refused.
func Limited(limit string) { limited.WithLabelValues(limit).Inc() }

// Refused counts a connection that was not made because its address is not
// public.
func Refused() { refused.WithLabelValues().Inc() }
