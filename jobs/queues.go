package jobs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/riverqueue/river"

	"heliograph/jobs/args"
)

// Queues returns every queue with how many of its jobs one worker process runs
// at once. Sends are bound by the database, relays by the endpoints' answers.
func Queues() map[string]river.QueueConfig {
	return map[string]river.QueueConfig{
		args.QueueDefault: {MaxWorkers: 4},
		args.QueueRelay:   {MaxWorkers: 50},
		args.QueueSend:    {MaxWorkers: 50},
	}
}

// Only returns the named queues, all of them for an empty list. An unknown
// name is an error that lists the names there are.
func Only(names []string) (map[string]river.QueueConfig, error) {
	all := Queues()
	if len(names) == 0 {
		return all, nil
	}
	chosen := map[string]river.QueueConfig{}
	for _, name := range names {
		queue, ok := all[name]
		if !ok {
			known := []string{}
			for k := range all {
				known = append(known, k)
			}
			slices.Sort(known)
			return nil, fmt.Errorf("there is no queue %q: choose from %s", name, strings.Join(known, ", "))
		}
		chosen[name] = queue
	}
	return chosen, nil
}
