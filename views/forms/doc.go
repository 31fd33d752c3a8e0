// Package forms renders forms of the administration: their fields, and pages that have only one.
package forms
