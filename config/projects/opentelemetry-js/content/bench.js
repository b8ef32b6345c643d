// MooBench's loop for JavaScript: a function that calls itself, with a span around each activation, in the way that `way` says.
"use strict";
const { writeFileSync } = require("fs");
const [way, calls, depth, file, port] = process.argv.slice(2).map((word, at) => (at === 1 || at === 2 ? Number(word) : word));

function plain(left) {
  return left > 1 ? plain(left - 1) : Number(process.hrtime.bigint() & 0xffffn);
}

/** The spanned function and what ends it, by the SDK as its documents set it up. */
function spanned(options) {
  const { context, trace } = require("@opentelemetry/api");
  const { AsyncLocalStorageContextManager } = require("@opentelemetry/context-async-hooks");
  const { BasicTracerProvider } = require("@opentelemetry/sdk-trace-base");
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = new BasicTracerProvider(options);
  trace.setGlobalTracerProvider(provider);
  const tracer = trace.getTracer("moobench");
  const method = (left) => tracer.startActiveSpan("monitored_method", (span) => {
    try {
      return left > 1 ? method(left - 1) : Number(process.hrtime.bigint() & 0xffffn);
    } finally {
      span.end();
    }
  });
  return [method, () => provider.shutdown()];
}

function chosen() {
  const sdk = way === "none" ? null : require("@opentelemetry/sdk-trace-base");
  if (way === "none") return [plain, async () => {}];
  if (way === "unsampled") return spanned({ sampler: new sdk.AlwaysOffSampler() });
  if (way === "collecting") {
    const counting = { ended: 0, onStart() {}, onEnd() { this.ended++; }, async shutdown() {}, async forceFlush() {} };
    return spanned({ spanProcessors: [counting] });
  }
  if (way !== "otlp") throw new Error(`${way} is no way to measure`);
  const { OTLPTraceExporter } = require("@opentelemetry/exporter-trace-otlp-proto");
  return spanned({ spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter({ url: `http://127.0.0.1:${port}/v1/traces` }))] });
}

(async () => {
  const [method, end] = chosen();
  const took = new Float64Array(calls);
  for (let i = 0; i < calls; i++) {
    const begin = process.hrtime.bigint();
    method(depth);
    took[i] = Number(process.hrtime.bigint() - begin);
    // Between the requests of a server the event loop turns, and sends; a loop of calls never lets it.
    if (way === "otlp" && i % 20 === 0) await new Promise((turned) => setImmediate(turned));
  }
  await end();
  writeFileSync(file, Array.from(took.subarray(calls / 2), (one) => `call ${one} ns\n`).join("")); // the first half warms up
})();
