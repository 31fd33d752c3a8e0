package admin

import (
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
)

// The words of lists, under the names that the pages of this package use.
const (
	longestValue = listing.LongestValue
	shortError   = listing.ShortError

	auditPath         = page.AuditPath
	calendarPath      = page.CalendarPath
	carriersPath      = page.CarriersPath
	contactsPath      = page.ContactsPath
	draftsPath        = page.DraftsPath
	emailSettingsPath = page.EmailSettingsPath
	feedbackPath      = page.FeedbackPath
	inboxPath         = page.InboxPath
	jobsPath          = page.JobsPath
	messagesPath      = page.MessagesPath
	notificationsPath = page.NotificationsPath
	organisationsPath = page.OrganisationsPath
	productsPath      = page.ProductsPath
	retentionPath     = page.RetentionPath
	smsSettingsPath   = page.SMSSettingsPath
	suppressionPath   = page.SuppressionsPath
	synonymsPath      = page.SynonymsPath
	usersPath         = page.UsersPath
)

var (
	age     = listing.Age
	count   = listing.Count
	some    = listing.Some
	ago     = listing.Ago
	clip    = listing.Clip
	current = page.Current
	frame   = page.AdministrationFrame
	lately  = listing.Lately
	plain   = listing.Plain
)
