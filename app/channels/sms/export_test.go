package sms

// CodeSMS is the SMS of a code.
type CodeSMS = codeSMS
