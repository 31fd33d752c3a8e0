// Package sms implements the SMS channel: it reads submissions, divides texts
// into parts, checks the registration that Indian operators require (DLT), and
// makes delivery reports.
//
// Every submission has an outcome code, in words that say what to change: see
// Code. Times without an offset are Indian time (UTC+05:30).
package sms

import "time"

// Channel is the name of the channel in messages, webhooks and API key scopes.
const Channel = "sms"

// Limits of a submission.
const (
	maxRecipients        = 5000 // of one request
	maxMessageRecipients = 1000 // of one message
	maxParts             = 30   // of one text

	maxHeader        = 15
	maxReference     = 50  // characters of cust_ref, msgtag and batchno
	maxSlots         = 6   // template_values
	maxTemplateValue = 160 // characters of one of them
	maxMessageText   = 8040
)

// indianTime is the time zone of times without an offset. It has no daylight saving.
var indianTime = time.FixedZone("IST", 5*3600+1800)

// LocalTime formats a time as yyyy-MM-dd HH:mm:ss in Indian time.
func LocalTime(t time.Time) string { return t.In(indianTime).Format(localLayout) }

const localLayout = "2006-01-02 15:04:05"
