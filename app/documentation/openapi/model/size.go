package model

// The size of parts of a model in memory, in bytes, as measured: a field with
// its slices and short texts, an empty endpoint, and a byte of decoded JSON.
const (
	fieldSize    = 300
	endpointSize = 2500
	decodedSize  = 6
)

// Size estimates what the frame takes in memory, in bytes.
func (f *Frame) Size() int { return f.size * decodedSize }

// Size estimates what an endpoint takes in memory, in bytes, when it was
// compiled from so many bytes of JSON.
func (e *Endpoint) Size(source int) int {
	size := endpointSize + source*decodedSize
	for range e.Fields() {
		size += fieldSize
	}
	for _, b := range e.Bodies {
		size += examplesSize(b.Examples)
	}
	for _, r := range e.Responses {
		for _, b := range r.Bodies {
			size += examplesSize(b.Examples)
		}
	}
	return size
}

// Size estimates what a schema takes in memory, in bytes.
func (s *Schema) Size() int {
	size := len(s.Example)
	for range s.Root.Fields() {
		size += fieldSize
	}
	return size
}

// examplesSize counts the text of examples. Generated examples also hold their
// decoded values.
func examplesSize(list []Example) (size int) {
	for _, e := range list {
		size += len(e.Value)
		if e.Generated {
			size += len(e.Value)
		}
	}
	return size
}
