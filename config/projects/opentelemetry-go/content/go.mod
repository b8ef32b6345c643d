module moobench

go 1.23

require (
	go.opentelemetry.io/otel @VERSION@
	go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp @VERSION@
	go.opentelemetry.io/otel/sdk @VERSION@
)
