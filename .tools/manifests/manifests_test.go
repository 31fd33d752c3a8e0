// Package manifests decodes the Kubernetes manifests of the program into the
// types of the Kubernetes API.
package manifests

import (
	"bytes"
	"os"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// A field that Kubernetes does not know, or of another type, is an error.
func TestManifestsAreOfTheirKind(t *testing.T) {
	text, err := os.ReadFile("../../app/manifests.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var head struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
		}
		if err := yaml.Unmarshal(document, &head); err != nil {
			t.Fatal(err)
		}
		into, known := map[string]any{
			"v1 ConfigMap":                           &corev1.ConfigMap{},
			"v1 Service":                             &corev1.Service{},
			"batch/v1 Job":                           &batchv1.Job{},
			"apps/v1 Deployment":                     &appsv1.Deployment{},
			"networking.k8s.io/v1 Ingress":           &networkingv1.Ingress{},
			"policy/v1 PodDisruptionBudget":          &policyv1.PodDisruptionBudget{},
			"autoscaling/v2 HorizontalPodAutoscaler": &autoscalingv2.HorizontalPodAutoscaler{},
		}[head.APIVersion+" "+head.Kind]
		if !known {
			t.Errorf("%s %s is not expected", head.APIVersion, head.Kind)
			continue
		}
		if err := yaml.UnmarshalStrict(document, into); err != nil {
			t.Errorf("%s: %v", head.Kind, err)
		}
	}
}
