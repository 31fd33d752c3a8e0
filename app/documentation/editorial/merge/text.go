// Package merge puts two versions together that began with the same one: of a text
// by lines, and of a part of an API description by its places. What both changed in
// different ways is an overlap, which a person decides.
package merge

import (
	"slices"
	"strings"

	"heliograph/app/diff"
)

// Texts merges two versions of a text line by line. The results differ in the places
// that both changed: one has theirs there, the other mine. Everything that only one
// of them changed is in both results.
func Texts(base, theirs, mine string) (withTheirs, withMine string, overlaps bool) {
	b, t, m := strings.Split(base, "\n"), strings.Split(theirs, "\n"), strings.Split(mine, "\n")
	their, my := editsOf(b, t), editsOf(b, m)
	var left, right []string
	at := 0
	for _, c := range clusters(their, my) {
		left, right = append(left, b[at:c.from]...), append(right, b[at:c.from]...)
		at = c.to
		theirLines, myLines := apply(b, their, c), apply(b, my, c)
		switch {
		case !c.both:
			lines := theirLines
			if c.isMine {
				lines = myLines
			}
			theirLines, myLines = lines, lines
		case !slices.Equal(theirLines, myLines):
			overlaps = true
		}
		left, right = append(left, theirLines...), append(right, myLines...)
	}
	left, right = append(left, b[at:]...), append(right, b[at:]...)
	return strings.Join(left, "\n"), strings.Join(right, "\n"), overlaps
}

// edit replaces the lines from (with) to (without) of a base.
type edit struct {
	from, to int
	lines    []string
}

func editsOf(base, text []string) (edits []edit) {
	i, j, open := 0, 0, false
	for _, step := range diff.Steps(base, text) {
		if step == diff.Same {
			i, j, open = i+1, j+1, false
			continue
		}
		if !open {
			edits, open = append(edits, edit{from: i, to: i}), true
		}
		last := &edits[len(edits)-1]
		if step == diff.Removed {
			i++
			last.to = i
		} else {
			last.lines = append(last.lines, text[j])
			j++
		}
	}
	return edits
}

// cluster is a run of lines of a base that edits touch, of one side or of both.
type cluster struct {
	from, to     int
	both, isMine bool
}

// clusters joins the edits that overlap. Edits of neighbouring lines do not, unless
// one only adds lines: which of the two comes first is then open.
func clusters(their, my []edit) (list []cluster) {
	for len(their)+len(my) > 0 {
		isMine := len(their) == 0 || len(my) > 0 && my[0].from < their[0].from // two that begin together are one cluster
		side := &their
		if isMine {
			side = &my
		}
		e := (*side)[0]
		*side = (*side)[1:]
		if last := len(list) - 1; last >= 0 {
			c := &list[last]
			isAdded := e.from == e.to || c.from == c.to
			if e.from < c.to || e.from == c.to && isAdded {
				c.both = c.both || c.isMine != isMine
				c.to = max(c.to, e.to)
				continue
			}
		}
		list = append(list, cluster{e.from, e.to, false, isMine})
	}
	return list
}

// apply returns the lines of a cluster with the edits of one side.
func apply(base []string, edits []edit, c cluster) (lines []string) {
	at := c.from
	for _, e := range edits {
		if e.from < c.from || e.to > c.to {
			continue
		}
		lines = append(append(lines, base[at:e.from]...), e.lines...)
		at = e.to
	}
	return append(lines, base[at:c.to]...)
}
