package ui

import "strings"

// LabelOf returns the label of a value, or the value if it has no label.
func LabelOf(options []Option, value string) string {
	for _, o := range options {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}

// LabelsOf returns the labels of values, separated by commas.
func LabelsOf(options []Option, values []string) string {
	var labels []string
	for _, v := range values {
		labels = append(labels, LabelOf(options, v))
	}
	return strings.Join(labels, ", ")
}
