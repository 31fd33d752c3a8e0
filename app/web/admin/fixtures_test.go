package admin_test

import "heliograph/app/web/webtest"

// Rows and forms of the pages that have a package of their own.
var (
	carrierRow      = webtest.CarrierRow
	column          = webtest.Column
	emailSettings   = webtest.EmailSettings
	enquiryPath     = webtest.EnquiryPath
	enquiryRow      = webtest.EnquiryRow
	exec            = webtest.Exec
	failedRow       = webtest.FailedRow
	jobRows         = webtest.JobRows
	memberRow       = webtest.MemberRow
	organisationRow = webtest.OrganisationRow
	otherSession    = webtest.OtherSession
	productRow      = webtest.ProductRow
	queueRows       = webtest.QueueRows
	record          = webtest.Record
	sessionRow      = webtest.SessionRow
	smsSettings     = webtest.SMSSettings
	synonymRow      = webtest.SynonymRow
	userRow         = webtest.UserRow
)
