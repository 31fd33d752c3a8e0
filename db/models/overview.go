package models

import "time"

// OverviewLimit is how far the numbers of an Overview are counted; one more
// means that there are more.
const OverviewLimit = 100_000

// Overview is how the system stands, as far as it is cheap to know.
type Overview struct {
	MessagesToday    int64 // accepted since midnight UTC
	Webhooks         int64
	WebhooksFailing  int64 // with failures in a row, not disabled
	WebhooksDisabled int64
	// FailingWebhooks are three of the failing webhooks at most, the longest failing first.
	FailingWebhooks []failingWebhook
	ReleasedAt      *time.Time // of the newest release
	Organisations   int64      // active ones
	APIKeys         int64      // not revoked
	DatabaseBytes   int64
	PartitionsLate  int64 // tables that write to their last partition
	JobsDiscarded   int64 // jobs that were given up
	JobsFailing     int64 // jobs that have failed five times or more and are tried again
	ReleasesOverdue int64 // scheduled change sets after their time
	// OldestAcceptedAt is when the oldest message was accepted that was not
	// handed over within minutes and still waits.
	OldestAcceptedAt    *time.Time
	NumbersStranded     int64 // numbers of live organisations that no carrier is set up for
	TemplatesWaiting    int64 // templates of live organisations that wait for a review
	MessagesParked      int64 // messages that wait for a person
	CarriersFailing     []failingCarrier
	UpstreamProblems    []upstreamProblem
	HeadersRequested    int64 // SMS headers that wait for an administrator
	HeadersContested    []SMSContest
	NotificationsFailed int64 // emails and codes that failed within a day and were not sent again
	// NotificationsStuck counts emails and codes that several attempts did not send and
	// that are tried again. NotificationsError is what the provider said last.
	NotificationsStuck int64
	NotificationsError string
	Unverified         int64 // organisations that registered and never verified their number
	QueuesPaused       []string
	AuditBrokenSeq     *int64     // what the last reading of the audit chain found first; nil when it held
	AuditCheckedAt     *time.Time // of that reading
	AuditAnchoredAt    *time.Time // of the newest anchor
	AuditSeq           int64      // how many entries the audit has
	ServerVersion      string     // of PostgreSQL
	Queues             []QueueBacklog
	Contact            ContactOverview `db:"-"`
}

// failingWebhook is a webhook that callbacks do not reach.
type failingWebhook struct {
	OrganisationID int64 `json:"organisation_id"`
	Organisation   string
	URL            string
	Since          time.Time
	Answer         string // the last one: a status or an error; empty if nothing was posted lately
}

// failingCarrier is a carrier that has put off all messages for minutes.
type failingCarrier struct {
	Carrier string
	Error   string // the last one
}

// upstreamProblem is a number or an account that an upstream holds back.
type upstreamProblem struct {
	Carrier string
	Kind    string // number or account
	AssetID int64  `json:"asset_id"` // of ours
	Problem string // in the words of the upstream
	Since   time.Time
}

// QueueBacklog is what waits in one queue and is due.
type QueueBacklog struct {
	Name    string
	Waiting int64
	Oldest  time.Time // when the oldest became due
}

// JobCount is how many jobs of a queue are in a state.
type JobCount struct {
	Queue  string
	State  string
	Jobs   int64
	Oldest time.Time // when the oldest was, or is, due
}

// DatabaseHealth is what keeps the database from staying quick.
type DatabaseHealth struct {
	Queues            []string // that workers have worked, whether paused or not
	DeadJobRows       int64
	OldestTransaction time.Duration // for how long the oldest is open, of those that this role may see
}

// FailedJob is a job after a failed attempt.
type FailedJob struct {
	ID    int64
	Kind  string
	Error string
}
