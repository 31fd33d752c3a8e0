// Package lists makes lists and maps of lists, as package slices does not.
package lists

// Map returns what f makes of each value, nil of no values.
func Map[T, R any](list []T, f func(T) R) []R {
	if len(list) == 0 {
		return nil
	}
	made := make([]R, len(list))
	for i, v := range list {
		made[i] = f(v)
	}
	return made
}

// By returns the values by their keys. Of values with the same key it has the last one.
func By[K comparable, T any](list []T, key func(T) K) map[K]T {
	all := make(map[K]T, len(list))
	for _, v := range list {
		all[key(v)] = v
	}
	return all
}

// Set returns the set of some values.
func Set[K comparable](list []K) map[K]bool {
	return SetBy(list, func(k K) K { return k })
}

// SetBy returns the set of the keys of some values.
func SetBy[K comparable, T any](list []T, key func(T) K) map[K]bool {
	all := make(map[K]bool, len(list))
	for _, v := range list {
		all[key(v)] = true
	}
	return all
}

// Where returns the values for which a condition holds, nil of none.
func Where[T any](list []T, holds func(T) bool) (found []T) {
	for _, v := range list {
		if holds(v) {
			found = append(found, v)
		}
	}
	return found
}

// First returns the first value for which a condition holds, and the zero value without one.
func First[T any](list []T, holds func(T) bool) (none T) {
	for _, v := range list {
		if holds(v) {
			return v
		}
	}
	return none
}

// Pairs returns the map of the keys and values that f makes of each value.
func Pairs[K comparable, V, T any](list []T, f func(T) (K, V)) map[K]V {
	all := make(map[K]V, len(list))
	for _, v := range list {
		key, value := f(v)
		all[key] = value
	}
	return all
}
