// Package views holds every page and fragment of the portal as templ
// components, in packages that mirror app/web: the pages of app/web/people/team are in
// views/people/team, and its files import that as view, others as teamview. layout is
// the frame, ui the components, forms the forms of the administration, portal the
// reading pages.
//
// A view sees only structs defined beneath this folder, filled with strings
// that are ready to display: it looks nothing up, formats no number and knows
// no database or contract type. A page is a struct that embeds layout.Page and
// a component of the same noun; layout.Document puts the frame around it.
//
// The pages obey a policy that allows scripts and styles from this host's
// files alone, so no view writes a style attribute, an inline script or an
// event handler. Everything can be read and followed without script.
package views
