//go:build drill

package messaging_test

func init() { rehearsals = 2000 }
