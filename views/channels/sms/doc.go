// Package sms renders what an account has registered for SMS.
package sms
