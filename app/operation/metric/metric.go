// Package metric defines the metrics of the program. /metrics exposes them in the
// text format of Prometheus, with metrics of the Go runtime, the process and the
// HTTP server. The README explains each and when to alert.
//
// Counts are of this process since its start. Labels never contain values that
// outsiders choose, so that the number of series is bounded, and never personal
// data such as names, phone numbers or addresses.
package metric

import (
	"cmp"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// seconds are the buckets of histograms of durations that are normally
// milliseconds but can be minutes.
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
	enquiries     = counter("enquiries_total", "Submissions of the contact form by their outcome: received, repeated, unconfirmed, spam, asked, stale or invalid.", "outcome")
	contacts      = counter("contact_deliveries_total", "Attempts at the webhook of enquiries by how they ended: delivered, again or failed.", "outcome")
	mocked        = counter("mock_answers_total", "Answers of the mock server by what chose them: the rule of the example, or the kind of the problem.", "rule")
	tried         = counter("console_calls_total", "Calls of the API console by how they ended: answered, mock, or the class of the failure.", "outcome")
	sdks          = histogram("sdk_build_seconds", "Builds of client libraries by language and how they ended: built, failed (the contract cannot be written) or again (it is tried later).", "language", "outcome")
	imports       = counter("imports_total", "Imports that were read, by the format of the document and how they ended: ready, unchanged, failed or cancelled.", "format", "outcome")
	importing     = histogram("import_duration_seconds", "Time from reading the bytes of an import to its end, by the format of the document.", "format")
	media         = counter("media_files_total", "Files that arrived in the gallery, by kind and how they ended: stored, same or refused.", "kind", "outcome")
	mediaBytes    = counter("media_bytes_total", "Bytes of the files that the gallery stored as they arrived, by kind.", "kind")
	mediaSizes    = histogram("media_sizes_seconds", "Time that making the sizes of an image took.")
	broken        = prometheus.NewGauge(prometheus.GaugeOpts{Name: "heliograph_documentation_broken", Help: "Published versions and pages that cannot be shown, because their content cannot be compiled."})
	refused       = counter("dials_refused_total", "Connections that were not made because their address is not public.")
)

// Register registers the metrics.
func Register(r prometheus.Registerer) {
	registerBuild(r)
	r.MustRegister(counted)
	r.MustRegister(jobs, jobDuration, messageSent, messages, callbacks, callback, notifications, codes, limited, enquiries, contacts, mocked, tried, sdks, imports, importing, media, mediaBytes, mediaSizes, broken, refused)
}

// RegisterStorage registers the metric of the file storage of this process.
func RegisterStorage(r prometheus.Registerer, available func() bool) {
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "heliograph_storage_up", Help: "1 while the file storage answers, else 0.",
	}, func() float64 { return boolValue(available()) }))
}

// RegisterClock registers the metric of the clock of this process, which is the
// time by which it is ahead of the database's.
func RegisterClock(r prometheus.Registerer, offset func() time.Duration) {
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "heliograph_clock_offset_seconds", Help: "How far the clock of this process is ahead of the database's; negative if it is behind.",
	}, func() float64 { return offset().Seconds() }))
}

// Job counts an attempt at a job. outcome is one of the outcomes of
// heliograph_jobs_total.
func Job(kind, outcome string, took time.Duration) {
	jobs.WithLabelValues(kind, outcome).Inc()
	jobDuration.WithLabelValues(kind).Observe(took.Seconds())
}

// Message counts a message that reached a state. For "sent" it also records the
// time since it was accepted.
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

// Mocked counts an answer of the mock server in heliograph_mock_answers_total.
func Mocked(rule string) { mocked.WithLabelValues(rule).Inc() }

// Tried counts a call of the API console in heliograph_console_calls_total.
func Tried(outcome string) { tried.WithLabelValues(outcome).Inc() }

// SDK counts a build of a client library by its language and how it ended: built, failed
// or again.
func SDK(language, outcome string, took time.Duration) {
	sdks.WithLabelValues(language, outcome).Observe(took.Seconds())
}

// Limited counts a request that a limit refused.
func Limited(limit string) { limited.WithLabelValues(limit).Inc() }

// Enquiry counts a submission of the contact form. outcome is one of the outcomes of
// heliograph_enquiries_total.
func Enquiry(outcome string) { enquiries.WithLabelValues(outcome).Inc() }

// ContactDelivery counts an attempt at the webhook of an enquiry, whether it was
// delivered and, if not, whether it is tried again.
func ContactDelivery(delivered, again bool) {
	outcome := "failed"
	switch {
	case delivered:
		outcome = "delivered"
	case again:
		outcome = "again"
	}
	contacts.WithLabelValues(outcome).Inc()
}

// Imported counts an import that ended. format is the format of the document, empty where it
// was not told; outcome is one of the outcomes of heliograph_imports_total.
func Imported(format, outcome string, took time.Duration) {
	format = cmp.Or(format, "unknown")
	imports.WithLabelValues(format, outcome).Inc()
	importing.WithLabelValues(format).Observe(took.Seconds())
}

// Filed counts a file that arrived in the gallery. kind is image, video, audio or
// document, empty where it was not told; outcome is one of the outcomes of
// heliograph_media_files_total.
func Filed(kind, outcome string, size int64) {
	kind = cmp.Or(kind, "unknown")
	media.WithLabelValues(kind, outcome).Inc()
	if outcome == "stored" {
		mediaBytes.WithLabelValues(kind).Add(float64(size))
	}
}

// Sized records the time that making the sizes of an image took.
func Sized(took time.Duration) { mediaSizes.WithLabelValues().Observe(took.Seconds()) }

// Refused counts a connection that was refused because its address is not public.
func Refused() { refused.WithLabelValues().Inc() }

// Broken sets how many published versions and pages cannot be shown.
func Broken(n int) { broken.Set(float64(n)) }
