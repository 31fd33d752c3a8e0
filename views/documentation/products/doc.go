// Package products renders products and their trees.
package products
