//! MooBench's loop for Rust: a function that calls itself, with a span of `tracing` around each activation, in the way that the first
//! word says.
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::WithExportConfig;
use opentelemetry_sdk::trace::SdkTracerProvider;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use tracing::subscriber::set_global_default;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{fmt::format::FmtSpan, layer::Context, prelude::*, registry::LookupSpan};

fn now_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64
}

#[inline(never)]
fn plain(depth: u32) -> u64 {
    if depth > 1 { plain(depth - 1) + 1 } else { now_ns() }
}

#[inline(never)]
#[tracing::instrument(name = "monitored_method")]
fn spanned(depth: u32) -> u64 {
    if depth > 1 { spanned(depth - 1) + 1 } else { now_ns() }
}

static CLOSED: AtomicU64 = AtomicU64::new(0);

struct Counting;

impl<S: tracing::Subscriber + for<'a> LookupSpan<'a>> tracing_subscriber::Layer<S> for Counting {
    fn on_close(&self, _: tracing::Id, _: Context<'_, S>) {
        CLOSED.fetch_add(1, Ordering::Relaxed);
    }
}

/// What ends after the last call: it writes what is still queued.
enum End {
    Nothing,
    Writer(WorkerGuard),
    Provider(SdkTracerProvider),
}

fn json(folder: &str, lossy: bool) -> End {
    let file = tracing_appender::rolling::never(folder, "spans");
    let (writer, end) = NonBlockingBuilder::default().lossy(lossy).finish(file);
    let lines = tracing_subscriber::fmt::layer().json().with_span_events(FmtSpan::CLOSE).with_writer(writer);
    set_global_default(tracing_subscriber::registry().with(lines)).unwrap();
    End::Writer(end)
}

fn opentelemetry(port: Option<&str>) -> End {
    let mut builder = SdkTracerProvider::builder();
    if let Some(port) = port {
        let url = format!("http://127.0.0.1:{port}/v1/traces");
        builder = builder.with_batch_exporter(
            opentelemetry_otlp::SpanExporter::builder().with_http().with_endpoint(url).build().unwrap(),
        );
    }
    let provider = builder.build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("moobench"));
    set_global_default(tracing_subscriber::registry().with(layer)).unwrap();
    End::Provider(provider)
}

fn begin(way: &str, to: &str) -> End {
    match way {
        "none" | "unheard" => End::Nothing,
        "collecting" => {
            set_global_default(tracing_subscriber::registry().with(Counting)).unwrap();
            End::Nothing
        }
        "dropping" => json(to, true),
        "blocking" => json(to, false),
        "opentelemetry" => opentelemetry(None),
        "otlp" => opentelemetry(Some(to)),
        _ => panic!("{way} is no way to measure"),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let (way, calls, depth) = (words[1].as_str(), words[2].parse::<usize>().unwrap(), words[3].parse::<u32>().unwrap());
    let end = begin(way, words.get(5).map_or("", String::as_str));
    let method = if way == "none" { plain } else { spanned };
    let mut took = vec![0u64; calls];
    for one in took.iter_mut() {
        let begin = Instant::now();
        std::hint::black_box(method(depth));
        *one = begin.elapsed().as_nanos() as u64;
    }
    match end {
        End::Nothing => {}
        End::Writer(writer) => drop(writer),
        End::Provider(provider) => provider.shutdown().unwrap(),
    }
    assert!(way != "collecting" || CLOSED.load(Ordering::Relaxed) == calls as u64 * u64::from(depth));
    let mut file = std::io::BufWriter::new(std::fs::File::create(&words[4]).unwrap());
    for one in &took[calls / 2..] {
        writeln!(file, "call {one} ns").unwrap(); // the first half warms up
    }
    file.flush().unwrap();
}
