"""A span around each activation, by OpenTelemetry's own decorator, in the way that OTEL_MODE says."""
import os


def exporter(mode):
    endpoint = f"http://127.0.0.1:{os.environ['OTEL_PORT']}"
    if mode == "otlp":
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        return OTLPSpanExporter(endpoint=endpoint + "/v1/traces")
    from opentelemetry.exporter.zipkin.json import ZipkinExporter
    return ZipkinExporter(endpoint=endpoint + "/api/v2/spans")


def instrument(application):
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    mode = os.environ["OTEL_MODE"]
    provider = TracerProvider()  # OTEL_SDK_DISABLED makes its tracers do nothing
    if mode in ("otlp", "zipkin"):
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        provider.add_span_processor(BatchSpanProcessor(exporter(mode)))
    trace.set_tracer_provider(provider)
    method = application.MonitoredClass.monitored_method
    tracer = trace.get_tracer("moobench")
    application.MonitoredClass.monitored_method = tracer.start_as_current_span("monitored_method")(method)
    return provider.shutdown
