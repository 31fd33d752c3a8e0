//go:build drill

package api_test

func init() { rehearsals = 2000 }
