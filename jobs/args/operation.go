package args

// Housekeep deletes old rows: idempotency keys, expired sessions, idle rate-limit
// cells.
type Housekeep struct{}

// Kind names the job.
func (Housekeep) Kind() string { return "housekeep" }

// CheckAudit verifies the audit chain, whole once a day, and anchors it.
type CheckAudit struct{}

// Kind names the job.
func (CheckAudit) Kind() string { return "check_audit" }

// CollectInsight counts what tables know that readers and partners did.
type CollectInsight struct{}

// Kind names the job.
func (CollectInsight) Kind() string { return "collect_insight" }

// ResealSecrets re-encrypts secrets that an old key encrypted.
type ResealSecrets struct{}

// Kind names the job.
func (ResealSecrets) Kind() string { return "reseal_secrets" }

// PurgeLogs deletes contents and logs of messages that were kept long enough.
type PurgeLogs struct{}

// Kind names the job.
func (PurgeLogs) Kind() string { return "purge_logs" }
