// Package tree holds a JSON or YAML document as a tree of values that keeps the
// order of keys, the text of numbers and the place of each value in its source.
// It reads with limits, so that a small hostile file cannot become a large tree,
// and writes back what it read.
//
// JSON is read as in RFC 8259, YAML as in YAML 1.2 with its merge keys, JSON
// pointers follow RFC 6901, and references are the $ref of OpenAPI within
// one document.
package tree
