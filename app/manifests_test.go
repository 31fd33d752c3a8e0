package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"heliograph/app/config"
)

// pod is what a manifest of Kubernetes says that can be held against the
// program.
type pod struct {
	Grace      int         `yaml:"terminationGracePeriodSeconds"`
	Init       []container `yaml:"initContainers"`
	Containers []container `yaml:"containers"`
}

type container struct {
	Image string   `yaml:"image"`
	Args  []string `yaml:"args"`
	Env   []struct {
		Name  string `yaml:"name"`
		Value string `yaml:"value"`
	} `yaml:"env"`
	Ports []struct {
		Name string `yaml:"name"`
		Port int    `yaml:"containerPort"`
	} `yaml:"ports"`
	Liveness  *probe `yaml:"livenessProbe"`
	Readiness *probe `yaml:"readinessProbe"`
}

type probe struct {
	HTTP struct {
		Path string `yaml:"path"`
		Port string `yaml:"port"`
	} `yaml:"httpGet"`
}

type manifest struct {
	Kind string            `yaml:"kind"`
	Data map[string]string `yaml:"data"`
	Spec struct {
		Template struct {
			Spec pod `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

// printManifests runs the command and decodes what it prints.
func printManifests(t *testing.T, args ...string) (kinds []string, all []manifest) {
	t.Helper()
	status, out, errs := invoke(t, nil, append([]string{"manifests"}, args...)...)
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	for text := range strings.SplitSeq(out, "\n---\n") {
		var m manifest
		if err := yaml.Unmarshal([]byte(text), &m); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		kinds, all = append(kinds, m.Kind), append(all, m)
	}
	return kinds, all
}

// Every process of the manifests is a command with settings that it accepts,
// and is watched at a port that it serves.
func TestManifestsRunTheProgram(t *testing.T) {
	t.Parallel()
	kinds, all := printManifests(t, "--image", "registry.example.com/heliograph:1.2", "--public-url", "https://portal.example.org", "--storage", "minio:9000")
	want := []string{
		"ConfigMap", "Job", "Deployment", "Deployment", "Service", "Ingress",
		"PodDisruptionBudget", "PodDisruptionBudget", "HorizontalPodAutoscaler", "HorizontalPodAutoscaler",
	}
	if !slices.Equal(kinds, want) {
		t.Errorf("the manifests are %v", kinds)
	}
	shared := []string{"DATABASE_URL=postgres://db/heliograph", "ENCRYPTION_KEYS=k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "STORAGE_ACCESS_KEY=a", "STORAGE_SECRET_KEY=b"}
	for name, value := range all[0].Data {
		shared = append(shared, name+"="+value)
	}
	for _, m := range all {
		spec := m.Spec.Template.Spec
		for _, c := range append(spec.Init, spec.Containers...) {
			environ := slices.Clone(shared)
			for _, v := range c.Env {
				if !readsVariable(v.Name) {
					t.Errorf("%v sets %s, which the program does not read", c.Args, v.Name)
				}
				environ = append(environ, v.Name+"="+v.Value)
			}
			if !slices.ContainsFunc(commands, func(known command) bool { return known.name == c.Args[0] }) || c.Image != "registry.example.com/heliograph:1.2" {
				t.Errorf("%s runs %v", c.Image, c.Args)
			}
			loaded, err := config.Load(environ, config.Everything)
			if err != nil {
				t.Fatalf("%v: %v", c.Args, err)
			}
			if loaded.PublicURL != "https://portal.example.org" || loaded.StorageEndpoint != "minio:9000" {
				t.Errorf("%v has the public URL %s and the storage %s", c.Args, loaded.PublicURL, loaded.StorageEndpoint)
			}
			if m.Kind == "Deployment" {
				checkProbes(t, spec.Grace, c, map[string]string{"web": loaded.Listen, "worker": loaded.OpsListen}[c.Args[0]])
			}
		}
	}
}

func checkProbes(t *testing.T, grace int, c container, address string) {
	t.Helper()
	port := c.Ports[0]
	if _, served, _ := strings.Cut(address, ":"); served != strconv.Itoa(port.Port) {
		t.Errorf("%v serves %s, and its port is %d", c.Args, address, port.Port)
	}
	if c.Liveness == nil || c.Liveness.HTTP.Path != "/livez" || c.Liveness.HTTP.Port != port.Name || c.Readiness == nil || c.Readiness.HTTP.Path != "/readyz" || c.Readiness.HTTP.Port != port.Name {
		t.Errorf("%v is watched by %+v and %+v", c.Args, c.Liveness, c.Readiness)
	}
	if grace != 60 {
		t.Errorf("%v has %d s to end", c.Args, grace)
	}
}

func TestManifestsRefuseNonsense(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--public-url", "http://x"}, {"--public-url", "https://x/path"}, {"--image", "a b"}, {"--storage", ""}, {"more"}} {
		if status, out, _ := invoke(t, nil, append([]string{"manifests"}, args...)...); status != 2 || out != "" {
			t.Errorf("%v: status %d, %q", args, status, out)
		}
	}
}
