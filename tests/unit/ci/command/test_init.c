/* moowatch init: a small tree of each kind of repository becomes a file that the server takes. */
#include "tests/unit/ci/command/called.h"

#include "config/config.h"

/* A file of a repository, with the folders above it. */
static void lay(const char *dir, const char *path, const char *text) {
    g_autofree char *whole = g_build_filename(dir, path, NULL);
    g_autofree char *folder = g_path_get_dirname(whole);
    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    assert_true(g_file_set_contents(whole, text, -1, NULL));
}

#define GO_BENCH                                                                                   \
    "package x\nimport \"testing\"\nfunc BenchmarkNone(b *testing.B) {}\n"                         \
    "func BenchmarkSpanExported(b *testing.B) {}\nfunc BenchmarkCollecting(b *testing.B) {}\n"     \
    "func TestNothing(t *testing.T) {}\n"
#define JMH_BENCH                                                                                  \
    "package org.example;\npublic class Bench {\n  @Benchmark\n  public int none() { return 1; "   \
    "}\n"                                                                                          \
    "  @Benchmark @BenchmarkMode(Mode.AverageTime)\n  public void deactivated(State s) {}\n}\n"

/* files: path, text, …; the chain: portion, result, parent of each configuration */
static const struct {
    const char *kind, *files[7], *chain[10], *told;
} trees[] = {
    {"cmake",
     {"CMakeLists.txt", "project(x)\n", "bench/b.cc", "BENCHMARK(baseline);\nBENCHMARK(writing);\n",
      "build/other.cc", "BENCHMARK(none);\n"},
     {"T", "baseline", NULL, "I+C+W", "writing", "c0"},
     "CMake, 2 benchmarks of Google Benchmark"},
    {"gradle",
     {"build.gradle.kts", "plugins { }\n", "src/jmh/java/org/example/Bench.java", JMH_BENCH},
     {"T", "org.example.Bench.none", NULL, "I", "org.example.Bench.deactivated", "c0"},
     "Gradle, 2 benchmarks of JMH"},
    {"maven",
     {"pom.xml", "<project/>\n", "src/main/java/org/example/Bench.java", JMH_BENCH},
     {"T", "org.example.Bench.none", NULL, "I", "org.example.Bench.deactivated", "c0"},
     "Maven, 2 benchmarks of JMH"},
    {"go",
     {"go.mod", "module x\n", "span_test.go", GO_BENCH},
     {"T", "BenchmarkNone", NULL, "I+C", "BenchmarkCollecting", "c0", "W", "BenchmarkSpanExported",
      "c1"},
     "go, 3 benchmarks of go test"},
    {"cargo",
     {"Cargo.toml", "[package]\n", "benches/overhead.rs",
      "c.bench_function(\"no op\", |b| b.iter(f));\nc.bench_function(\"span\", g);\n"},
     {"T", "no op", NULL, "I+C+W", "span", "c0"},
     "cargo, 2 benchmarks of Criterion"},
    {"python",
     {"pyproject.toml", "[project]\n", "tests/test_bench.py",
      ("def test_none(benchmark):\n  pass\ndef test_span(benchmark, tracer):\n  pass\n"
       "def test_other(x):\n  pass\n"),
      "tests/test_\xff.py", "def test_of_no_name(benchmark):\n  pass\n"},
     {"T", "tests/test_bench.py::test_none", NULL, "I+C+W", "tests/test_bench.py::test_span", "c0"},
     "Python, 2 benchmarks of pytest-benchmark"},
    {"npm", {"package.json", "{}\n"}, {"T", NULL, NULL, "I", NULL, "none"}, "npm, 0 benchmarks"},
    {"make", {"Makefile", "all:\n"}, {"T", NULL, NULL, "I", NULL, "none"}, "make, 0 benchmarks"},
    {"agent",
     {"pom.xml", "<project><artifactId>probe</artifactId><Premain-Class>A</Premain-Class>\n"},
     {"T", NULL, NULL, "I+C+W", NULL, "none"},
     "Maven, 0 benchmarks, an agent"},
    {"a bare function",
     {"pyproject.toml", "[project]\n", "bench.py",
      "def test_off(benchmark):\n  pass\ndef test_bare(benchmark):\n  pass\n"},
     {"T", "bench.py::test_bare", NULL, "I", "bench.py::test_off", "c0"},
     "Python, 2 benchmarks"},
    {"two probes of one step",
     {"go.mod", "module x\n", "a_test.go",
      "func BenchmarkOff(b *testing.B) {}\nfunc BenchmarkDisabled(b *testing.B) {}\n"},
     {"T", "BenchmarkOff", NULL, "I", "BenchmarkDisabled", "c0"},
     "go, 2 benchmarks"},
};

static void expect_chain(const cfg_benchmark *benchmark, const char *const *chain) {
    unsigned i = 0;
    for (; chain[3 * i]; i++) {
        assert_true(i < benchmark->configurations_count);
        const cfg_configuration *own = &benchmark->configurations[i];
        assert_string_equal(own->portion, chain[3 * i]);
        if (chain[3 * i + 1])
            assert_string_equal(own->result, chain[3 * i + 1]);
        assert_int_equal(g_strcmp0(own->parent, chain[3 * i + 2]), 0);
    }
    assert_int_equal(benchmark->configurations_count, i);
}

static void each_kind_is_known(void **state) {
    for (size_t i = 0; i < G_N_ELEMENTS(trees); i++) {
        g_autofree char *name = g_strdup_printf("tree-%zu", i);
        g_autofree char *dir = g_build_filename(((const char *)*state), name, NULL);
        g_autofree char *file = g_strconcat(dir, ".yaml", NULL);
        for (const char *const *at = trees[i].files; *at; at += 2)
            lay(dir, at[0], at[1]);
        g_auto(called) c = CALL(ci_command_init.run, "init", dir, "--output", file);
        expect_called(&c, CI_OK, trees[i].told, "");
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_project) project = cfg_project_load(file, &error);
        if (!project)
            fail_msg("%s: %s", trees[i].kind, error->message);
        assert_string_equal(project->name, name);
        assert_string_equal(project->repository, dir);
        expect_chain(&project->benchmark, trees[i].chain);
    }
}

#define AGENT_POM(version)                                                                         \
    "<project><parent><artifactId>above</artifactId><version>7</version></parent>"                 \
    "<artifactId>probe</artifactId><version>" version "</version>"                                 \
    "<build><version>3.4.2</version><Premain-Class>A</Premain-Class></build></project>"

/* What the files of a repository say is not guessed; what they do not say is marked. */
static const struct {
    const char *files[7], *has, *guess;
} programs[] = {
    {{"CMakeLists.txt", "add_subdirectory(bench)\n", "bench/CMakeLists.txt",
      "add_executable(other my_b.cc)\nadd_executable(spans\n  main.cc b.cc)\n", "bench/b.cc",
      "BENCHMARK(none);\n"},
     "[\"./build/bench/spans\", ",
     NULL},
    {{"CMakeLists.txt", "add_executable(top bench/b.cc)\n", "bench/b.cc", "BENCHMARK(none);\n"},
     "[\"./build/top\", ",
     NULL},
    {{"CMakeLists.txt", "project(x)\n", "b.cc", "BENCHMARK(none);\n"},
     "[\"./build/bench\", ",
     "CHANGE THIS: \"bench\" is a guess"},
    {{"CMakeLists.txt", "add_executable(x b.cc)\n", "b.cc", "BENCHMARK(none)->Arg(8)->Arg(9);\n"},
     "--benchmark_filter=^none/8$",
     NULL},
    {{"go.mod", "module x\n", "a_test.go",
      "func BenchmarkNone(b *testing.B) {\n}\nfunc BenchmarkSpan(b *testing.B) "
      "{\n\tb.Run(\"full\", "
      "f)\n\tb.Run(\"empty\", f)\n}\n"},
     "\"^BenchmarkSpan/full$\"",
     NULL},
    {{"go.mod", "module x\n", "a_test.go",
      "func BenchmarkNone(b *testing.B) { f(b) }\nfunc BenchmarkSpan(b *testing.B) "
      "{\n\tb.Run(\"full\", "
      "f)\n}\n"},
     "\"^BenchmarkNone$\"",
     NULL},
    {{"Cargo.toml", "[package]\n", "benches/spans.rs", "c.bench_function(\"none\", f);\n"},
     "--bench, \"spans\", ",
     NULL},
    {{"pom.xml", "<uberjar.name>mine</uberjar.name><finalName>${uberjar.name}</finalName>",
      "src/main/java/org/example/Bench.java", JMH_BENCH},
     "\"target/mine.jar\"",
     NULL},
    {{"pom.xml", "<project/>", "src/main/java/org/example/Bench.java", JMH_BENCH},
     "\"target/benchmarks.jar\"",
     "CHANGE THIS: \"benchmarks\" is a guess"},
    {{"go.mod", "module x\n", "a_test.go", "func BenchmarkNone(b *testing.B) {}\n"},
     "\"GOCACHE={checkout}/.go/cache\", GOFLAGS=-modcacherw, go, test, -run, ^$, -bench, ",
     NULL},
    {{"Cargo.toml", "[package]\n", "benches/a.rs", "c.bench_function(\"none\", f);\n"},
     "\"CARGO_HOME={checkout}/cargo\", cargo, bench, --offline, --quiet, --bench, \"a\", ",
     NULL},
    {{"package.json", "{}"}, "prepare: [npm, install, ", NULL},
    {{"package.json", "{}", "package-lock.json", "{}"}, "prepare: [npm, ci]", NULL},
    {{"Makefile", "all: x\nbench: bench.c\n"}, "prepare: [make, bench]", NULL},
    {{"Makefile", "bench: bench.c\n"}, "command: [./bench, none]", NULL},
    {{"Makefile", "bench: out/spans\n"}, "command: [./out/spans, none]", NULL},
    {{"pom.xml", "<project/>"}, "An agent needs no program: docs/java-driver.md.", NULL},
    {{"pom.xml", AGENT_POM("1.0")}, "[\"-javaagent:target/probe-1.0.jar\"]", NULL},
    {{"pom.xml", AGENT_POM("${revision}")}, "and correct the name of its jar", NULL},
    {{"pom.xml", AGENT_POM("1.0<finalName>${x}</finalName>")}, "target/agent.jar", NULL},
    {{"pom.xml", AGENT_POM("1.0<finalName>mine</finalName>")}, "target/mine.jar", NULL},
    {{"build.gradle", "attributes 'Premain-Class': 'A'\n"}, "[./gradlew, -q, assemble]", NULL},
};

static void programs_are_read(void **state) {
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
        g_autofree char *name = g_strdup_printf("program-%zu", i);
        g_autofree char *dir = g_build_filename(((const char *)*state), name, NULL);
        g_autofree char *file = g_strconcat(dir, ".yaml", NULL), *text = NULL;
        for (const char *const *at = programs[i].files; *at; at += 2)
            lay(dir, at[0], at[1]);
        g_auto(called) c = CALL(ci_command_init.run, "init", dir, "--output", file);
        expect_called(&c, CI_OK, name, "");
        assert_true(g_file_get_contents(file, &text, NULL, NULL));
        if (!strstr(text, programs[i].has))
            fail_msg("no %s in\n%s", programs[i].has, text);
        assert_int_equal(strstr(text, "is a guess") != NULL, programs[i].guess != NULL);
        assert_true(!programs[i].guess || strstr(text, programs[i].guess));
    }
}

static void nothing_is_overwritten(void **state) {
    g_autofree char *dir = g_build_filename(((const char *)*state), "own", NULL);
    lay(dir, "go.mod", "module x\n");
    g_autofree char *file = put(*state, "own.yaml", "mine\n");
    g_auto(called) c = CALL(ci_command_init.run, "init", dir, "--output", file);
    expect_called(&c, CI_INPUT, "", "own.yaml: exists already");
    g_autofree char *left = NULL;
    assert_true(g_file_get_contents(file, &left, NULL, NULL));
    assert_string_equal(left, "mine\n");
}

static void what_is_no_repository(void **state) {
    g_autofree char *dir = g_build_filename(((const char *)*state), "empty", NULL);
    lay(dir, "README.md", "hello\n");
    g_auto(called) c = CALL(ci_command_init.run, "init", dir);
    expect_called(&c, CI_INPUT, "", "has none of CMakeLists.txt, build.gradle");
    g_auto(called) none = CALL(ci_command_init.run, "init", "/no/such/folder");
    expect_called(&none, CI_INPUT, "", "/no/such/folder: has none of");
}

static int leave(void **state) {
    remove_below(*state);
    return remove_folder(state);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, make_folder, leave)

int main(void) {
    const struct CMUnitTest tests[] = {IN_TREE(each_kind_is_known), IN_TREE(programs_are_read),
                                       IN_TREE(nothing_is_overwritten),
                                       IN_TREE(what_is_no_repository)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
