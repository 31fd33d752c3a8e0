// Package previews renders links to previews.
package previews
