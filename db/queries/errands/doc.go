// Package errands holds what the rules of every wing leave to be done later, in the
// transaction of its cause: jobs to insert and complete, and objects to remove.
package errands
