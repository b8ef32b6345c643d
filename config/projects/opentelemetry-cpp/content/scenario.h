// Scenario S001 of OTEP 5109: a counter is incremented by 1; its three attributes are made with
// every call.
#pragma once
#include <benchmark/benchmark.h>
#include <opentelemetry/metrics/meter.h>
#include <opentelemetry/metrics/meter_provider.h>
#include <opentelemetry/metrics/sync_instruments.h>
#include <opentelemetry/nostd/shared_ptr.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

static std::size_t allocated_bytes; // by new; one thread

// Inlined, the compiler takes the pair for a mistake.
[[gnu::noinline]] void *operator new(std::size_t size) {
    allocated_bytes += size;
    void *memory = std::malloc(size);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}

[[gnu::noinline]] void operator delete(void *memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void *memory, std::size_t) noexcept {
    std::free(memory);
}

template <class Call> void measure(benchmark::State &state, Call call) {
    call(); // what only the first call allocates
    const std::size_t before = allocated_bytes;
    for (auto _ : state)
        call();
    state.counters["allocated_bytes_per_call"] = benchmark::Counter(
        static_cast<double>(allocated_bytes - before), benchmark::Counter::kAvgIterations);
}

template <class Provider> void increment_of(benchmark::State &state, Provider &provider) {
    auto meter = provider->GetMeter("moowatch");
    auto counter = meter->CreateUInt64Counter("house.energy.consumed");
    measure(state, [&] {
        counter->Add(1, {{"house.room", "living_room"},
                         {"house.device", "thermostat"},
                         {"house.action", "set_temperature"}});
    });
}
