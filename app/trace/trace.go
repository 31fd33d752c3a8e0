// Package trace sends traces to an OpenTelemetry collector by OTLP over HTTP: what a
// request, the jobs of its messages and their callbacks took. It is off until the
// environment asks for it. Spans have names, numbers of attempts and statuses, never
// keys, recipients or texts.
package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	api "go.opentelemetry.io/otel/trace"
)

// header is the name of the header and the key of the context that carry a trace.
const header = "traceparent"

// tracer makes the spans of this process; nil while traces are off.
var tracer atomic.Pointer[api.Tracer]

// Start sends the traces of this process until stop is called. The exporter, the
// sampler and the batches read the OTEL variables of the environment.
func Start(ctx context.Context, version string) (stop func(context.Context) error, err error) {
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("opening the exporter of traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "heliograph"), attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("describing the process for its traces: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { slog.Warn("traces could not be sent", "error", err) }))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	made := provider.Tracer("heliograph")
	tracer.Store(&made)
	return func(ctx context.Context) error {
		tracer.CompareAndSwap(&made, nil)
		return provider.Shutdown(ctx)
	}, nil
}

// Enabled reports whether traces are sent.
func Enabled() bool { return tracer.Load() != nil }

// StartRequest begins the span of a request. A trace that the client has begun is
// continued. end takes the name of the route and the status.
func StartRequest(r *http.Request) (ctx context.Context, end func(route string, status int)) {
	t := tracer.Load()
	if t == nil {
		return r.Context(), func(string, int) {}
	}
	ctx = propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := (*t).Start(ctx, "request", api.WithSpanKind(api.SpanKindServer))
	return ctx, func(route string, status int) {
		span.SetName(route)
		span.SetAttributes(attribute.String("http.request.method", r.Method), attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Parent returns the trace of a context for what follows it, "" if there is none.
func Parent(ctx context.Context) string {
	if !Enabled() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[header]
}

// Member is the member of the metadata of a job with the trace of its cause.
const Member = "traceparent"

// Metadata returns the metadata of a job that follows a trace of Parent, nil for none.
func Metadata(parent string) []byte {
	if parent == "" {
		return nil
	}
	metadata, _ := json.Marshal(map[string]string{Member: parent}) // text can be written
	return metadata
}

// StartJob begins the spans of an attempt at a job, one in each of the traces that
// it serves; an empty one is a new trace. The context belongs to the first. end takes
// the outcome.
func StartJob(ctx context.Context, job Job, parents []string) (context.Context, func(outcome string)) {
	t := tracer.Load()
	if t == nil || len(parents) == 0 {
		return ctx, func(string) {}
	}
	first := ctx
	spans := make([]api.Span, len(parents))
	for i, parent := range parents {
		within := propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{header: parent})
		within, spans[i] = (*t).Start(within, job.Kind, api.WithSpanKind(api.SpanKindConsumer), api.WithAttributes(
			attribute.Int64("job.id", job.ID), attribute.Int("job.attempt", job.Attempt), attribute.Float64("job.waited_seconds", job.Waited.Seconds())))
		if i == 0 {
			first = within
		}
	}
	return first, func(outcome string) {
		for _, span := range spans {
			span.SetAttributes(attribute.String("job.outcome", outcome))
			if outcome == "failed" || outcome == "discarded" {
				span.SetStatus(codes.Error, "")
			}
			span.End()
		}
	}
}

// Job is an attempt at a job.
type Job struct {
	ID      int64
	Kind    string
	Attempt int
	Waited  time.Duration // since it was due
}

// Inject adds the trace of a context to the headers of a request.
func Inject(ctx context.Context, h http.Header) {
	if parent := Parent(ctx); parent != "" {
		h.Set(header, parent)
	}
}
