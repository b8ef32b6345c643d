// MooBench's loop for Go: a method that calls itself, with a span around each activation, in the way that the first word says.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

var tracer trace.Tracer

//go:noinline
func plain(ctx context.Context, depth int) int64 {
	if depth > 1 {
		return plain(ctx, depth-1)
	}
	return time.Now().UnixNano()
}

//go:noinline
func spanned(ctx context.Context, depth int) int64 {
	ctx, span := tracer.Start(ctx, "monitored_method")
	defer span.End()
	if depth > 1 {
		return spanned(ctx, depth-1)
	}
	return time.Now().UnixNano()
}

// counting makes spans record, and keeps none of them.
type counting struct{ ended int }

func (c *counting) OnStart(context.Context, sdk.ReadWriteSpan) {}
func (c *counting) OnEnd(sdk.ReadOnlySpan)                     { c.ended++ }
func (c *counting) Shutdown(context.Context) error             { return nil }
func (c *counting) ForceFlush(context.Context) error           { return nil }

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func exporting(port string, options ...sdk.BatchSpanProcessorOption) sdk.TracerProviderOption {
	exporter, err := otlptracehttp.New(context.Background(), otlptracehttp.WithInsecure(), otlptracehttp.WithEndpoint("127.0.0.1:"+port))
	must(err)
	return sdk.WithBatcher(exporter, options...)
}

func provider(words []string) *sdk.TracerProvider {
	switch words[1] {
	case "unsampled":
		return sdk.NewTracerProvider(sdk.WithSampler(sdk.NeverSample()))
	case "collecting":
		return sdk.NewTracerProvider(sdk.WithSpanProcessor(&counting{}))
	case "dropping":
		return sdk.NewTracerProvider(exporting(words[5]))
	case "blocking":
		return sdk.NewTracerProvider(exporting(words[5], sdk.WithBlocking()))
	}
	must(fmt.Errorf("%s is no way to measure", words[1]))
	return nil
}

func main() {
	calls, err := strconv.Atoi(os.Args[2])
	must(err)
	depth, err := strconv.Atoi(os.Args[3])
	must(err)
	ctx, method, end := context.Background(), plain, func(context.Context) error { return nil }
	if os.Args[1] != "none" {
		made := provider(os.Args)
		tracer, method, end = made.Tracer("moobench"), spanned, made.Shutdown
	}
	took := make([]time.Duration, calls)
	for i := range took {
		begin := time.Now()
		method(ctx, depth)
		took[i] = time.Since(begin)
	}
	must(end(ctx))
	file, err := os.Create(os.Args[4])
	must(err)
	lines := bufio.NewWriter(file)
	for _, one := range took[calls/2:] { // the first half warms up
		fmt.Fprintf(lines, "call %d ns\n", one.Nanoseconds())
	}
	must(lines.Flush())
	must(file.Close())
}
