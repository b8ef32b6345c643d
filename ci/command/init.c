/* moowatch init [DIR] - a first project file for a repository, from what lies in it. */
#include "ci/command/client.h"
#include "config/config.h"
#include "config/json_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FILES_MAX = 5000, DEPTH_MAX = 12, NAMES_MAX = 16, FILE_BYTES_MAX = 1 << 20 };

/* How a benchmark tool is recognized, and run for one benchmark of it. */
typedef struct {
    const char *name;
    const char *suffix;  /* of the sources that hold benchmarks */
    const char *pattern; /* group 1: a benchmark there */
    char *(*id)(const char *path, const char *text, const char *name);
    bool exact;          /* a benchmark is selected by a regular expression */
    const char *read;    /* YAML: what the runner reads */
    const char *command; /* YAML, NAME in it what selects the benchmark, PROGRAM what holds it */
    /* what PROGRAM is for the benchmarks of a source; owned, NULL: nothing says so */
    char *(*program)(const char *dir, const char *path);
    const char *usual; /* PROGRAM where nothing says so */
} tool;

/* A way to build, by the file that gives it away. */
typedef struct {
    const char *files, *name;
    const char *prepare; /* YAML */
    tool tool;
} kind;

static char *id_plain(const char *path, const char *text, const char *name) {
    (void)path;
    (void)text;
    return g_strdup(name);
}

/* tests/test_bench.py::test_none */
static char *id_pytest(const char *path, const char *text, const char *name) {
    (void)text;
    return g_strconcat(path, "::", name, NULL);
}

static char *group(const char *pattern, const char *text) {
    g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

/* "record/8" where what is found behind its name is 8, the first of several that it runs. */
static char *id_first(const char *before, const char *name, const char *behind, const char *text) {
    g_autofree char *pattern = g_strconcat(before, name, behind, NULL);
    g_autofree char *first = group(pattern, text);
    return g_strconcat(name, first ? "/" : "", first, NULL);
}

/* BENCHMARK(record)->Arg(8)->Arg(64) */
static char *id_google(const char *path, const char *text, const char *name) {
    (void)path;
    return id_first("^\\s*BENCHMARK\\(\\s*", name,
                    "\\s*\\)\\s*->(?:Arg|Range|DenseRange)\\(\\s*(\\d+)", text);
}

/* func BenchmarkRecord(b *testing.B) { b.Run("full", ...) */
static char *id_go(const char *path, const char *text, const char *name) {
    (void)path;
    return id_first("^func ", name, "\\((?:(?!^\\}|^func )[\\s\\S])*?\\.Run\\(\"([\\w.=-]+)\"",
                    text);
}

/* org.example.Bench.none */
static char *id_jmh(const char *path, const char *text, const char *name) {
    g_autofree char *package = group("^\\s*package\\s+([\\w.]+)", text);
    g_autofree char *class = g_path_get_basename(path);
    *strrchr(class, '.') = '\0';
    return g_strconcat(package ? package : "", package ? "." : "", class, ".", name, NULL);
}

/* The text of a file of the repository; owned, NULL: there is none, it is too long or not UTF-8. */
static char *text_of(const char *dir, const char *relative) {
    g_autofree char *path = g_build_filename(dir, relative, NULL);
    g_autofree char *text = NULL;
    gsize size = 0;
    return g_file_get_contents(path, &text, &size, NULL) && size <= FILE_BYTES_MAX &&
                   g_utf8_validate(text, (gssize)size, NULL)
               ? g_steal_pointer(&text)
               : NULL;
}

/* build/bench/NAME: of the nearest CMakeLists.txt whose add_executable(NAME …) has the source. */
static char *program_cmake(const char *dir, const char *path) {
    g_autofree char *base = g_path_get_basename(path), *source = g_regex_escape_string(base, -1);
    g_autofree char *pattern = g_strdup_printf(
        "^\\s*add_executable\\(\\s*([\\w.+-]+)\\s[^)]*(?<![\\w.-])%s(?![\\w.-])", source);
    for (g_autofree char *folder = g_path_get_dirname(path), *above = NULL;;
         g_free(folder), folder = g_steal_pointer(&above)) {
        g_autofree char *lists = g_build_filename(folder, "CMakeLists.txt", NULL);
        g_autofree char *text = text_of(dir, lists), *name = text ? group(pattern, text) : NULL;
        const bool top = g_str_equal(folder, ".");
        if (name)
            return top ? g_strdup(name) : g_build_filename(folder, name, NULL);
        if (top)
            return NULL;
        above = g_path_get_dirname(folder);
    }
}

/* benches/NAME.rs and benches/NAME/main.rs are what cargo calls NAME. */
static char *program_cargo(const char *dir, const char *path) {
    (void)dir;
    return group("^benches/([\\w-]+)(?:\\.rs|/.*)$", path);
}

/* What the shaded jar is called; JMH's archetype names it by a property. */
static char *program_maven(const char *dir, const char *path) {
    (void)path;
    g_autofree char *text = text_of(dir, "pom.xml");
    char *name = group("<uberjar\\.name>\\s*([\\w.-]+)\\s*<", text ? text : "");
    return name ? name : group("<finalName>\\s*([\\w.-]+)\\s*<", text ? text : "");
}

#define JMH_NAMES "@Benchmark\\b(?:\\s*@\\w+(?:\\([^)]*\\))?)*[^@(){;]*?(\\w+)\\s*\\("
#define JMH_READ "{format: jmh-json}"
#define JMH_RUN(java)                                                                              \
    "[" java ", \"NAME\", -f, \"1\", -foe, \"true\", -rf, json, -rff, \"{result}\"]"

/* A process has an empty HOME, in which they would fetch and build all again in each loop. */
#define CARGO "env, \"CARGO_HOME={checkout}/cargo\", cargo, bench, "
#define GO                                                                                         \
    "env, \"GOPATH={checkout}/.go\", \"GOCACHE={checkout}/.go/cache\", GOFLAGS=-modcacherw, go, "  \
    "test, -run, ^$, "

static const kind kinds[] = {
    {"CMakeLists.txt",
     "CMake",
     "[sh, -c, \"cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build\"]",
     {"Google Benchmark", "c|cc|cpp|cxx", "^\\s*BENCHMARK\\(\\s*(\\w+)\\s*\\)", id_google, true,
      "{format: google-benchmark-json}",
      "[\"./build/PROGRAM\", \"--benchmark_filter=NAME\", \"--benchmark_out={result}\", "
      "--benchmark_out_format=json]",
      program_cmake, "bench"}},
    {"build.gradle|build.gradle.kts",
     "Gradle",
     "[./gradlew, -q, jmhJar]",
     {"JMH", "java|kt", JMH_NAMES, id_jmh, true, JMH_READ,
      JMH_RUN("sh, -c, 'exec java -jar build/libs/*-jmh.jar \"$@\"', jmh"), NULL, NULL}},
    {"pom.xml",
     "Maven",
     "[mvn, -q, -DskipTests, package]",
     {"JMH", "java|kt", JMH_NAMES, id_jmh, true, JMH_READ,
      JMH_RUN("java, -jar, \"target/PROGRAM.jar\""), program_maven, "benchmarks"}},
    {"Cargo.toml",
     "cargo",
     "[" CARGO "--no-run]",
     {"Criterion", "rs", "bench_function\\(\\s*\"([\\w/ .-]+)\"", id_plain, true,
      "{format: libtest, from: output}",
      "[" CARGO "--offline, --quiet, --bench, \"PROGRAM\", --, --output-format, bencher, \"NAME\"]",
      program_cargo, "overhead"}},
    {"go.mod",
     "go",
     "[" GO "./...]",
     {"go test", "go", "^func (Benchmark\\w+)\\(\\w+ \\*testing\\.B\\)", id_go, true,
      "{format: go-test, from: output}", "[" GO "-bench, \"NAME\", -cpu, \"1\", ./...]", NULL,
      NULL}},
    {"package.json", "npm", "[npm, ci]", {.name = NULL}},
    {"pyproject.toml|setup.py",
     "Python",
     "[sh, -c, \"python3 -m venv .venv && .venv/bin/pip install -q . pytest-benchmark\"]",
     {"pytest-benchmark", "py", "^def (test_\\w+)\\([^)]*\\bbenchmark\\b", id_pytest, false,
      "{format: pytest-benchmark-json}",
      "[.venv/bin/python, -m, pytest, -q, \"NAME\", \"--benchmark-json={result}\"]", NULL, NULL}},
    {"Makefile", "make", "[make]", {.name = NULL}},
};

/* What is found in a repository. */
typedef struct {
    const char *dir;
    const kind *kind;
    const char *file;      /* that says so */
    GPtrArray *benchmarks; /* names as the tool prints them, in the order of files; owned */
    GPtrArray *programs;   /* what holds each, NULL: nothing says so; owned */
    unsigned files;        /* looked at */
} finding;

static void read_source(finding *f, const char *relative, GRegex *regex) {
    g_autofree char *text = text_of(f->dir, relative);
    if (!text)
        return;
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, text, 0, &match);
    for (; g_match_info_matches(match) && f->benchmarks->len < NAMES_MAX;
         g_match_info_next(match, NULL)) {
        g_autofree char *name = g_match_info_fetch(match, 1);
        g_autofree char *id = f->kind->tool.id(relative, text, name);
        if (!g_ptr_array_find_with_equal_func(f->benchmarks, id, g_str_equal, NULL)) {
            g_ptr_array_add(f->benchmarks, g_steal_pointer(&id));
            g_ptr_array_add(f->programs,
                            f->kind->tool.program ? f->kind->tool.program(f->dir, relative) : NULL);
        }
    }
}

static bool is_source(const char *name, const char *suffixes) {
    const char *dot = strrchr(name, '.');
    g_auto(GStrv) list = g_strsplit(suffixes, "|", -1);
    return dot && g_strv_contains((const char *const *)list, dot + 1);
}

/* What others wrote, or a build made, holds no benchmark of this repository; a project file cannot
 * name what is not UTF-8. */
static bool is_ours(const char *name) {
    static const char *const others[] = {"build",  "node_modules", "target", "third_party",
                                         "vendor", "venv",         NULL};
    return name[0] != '.' && g_utf8_validate(name, -1, NULL) && !g_strv_contains(others, name);
}

static void walk(finding *f, const char *relative, unsigned depth, GRegex *regex) {
    g_autofree char *path = g_build_filename(f->dir, relative, NULL);
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name; folder && (name = g_dir_read_name(folder));)
        if (is_ours(name))
            g_ptr_array_add(names, g_strdup(name));
    cfg_texts_sort(names);
    for (guint i = 0; i < names->len && f->files < FILES_MAX; i++) {
        g_autofree char *below = *relative ? g_build_filename(relative, names->pdata[i], NULL)
                                           : g_strdup(names->pdata[i]);
        g_autofree char *whole = g_build_filename(f->dir, below, NULL);
        if (g_file_test(whole, G_FILE_TEST_IS_SYMLINK))
            continue;
        if (g_file_test(whole, G_FILE_TEST_IS_DIR)) {
            if (depth < DEPTH_MAX)
                walk(f, below, depth + 1, regex);
        } else if (g_file_test(whole, G_FILE_TEST_IS_REGULAR) &&
                   is_source(below, f->kind->tool.suffix)) {
            f->files++;
            read_source(f, below, regex);
        }
    }
}

/* Which of a kind's files is there; NULL: none. */
static const char *file_of(const char *dir, const kind *of) {
    g_auto(GStrv) files = g_strsplit(of->files, "|", -1);
    for (char **file = files; *file; file++) {
        g_autofree char *path = g_build_filename(dir, *file, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return g_intern_string(*file);
    }
    return NULL;
}

/* false with error: nothing says how it is built. */
static bool look(finding *f, GError **error) {
    g_autoptr(GString) known = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(kinds) && !f->file; i++) {
        f->kind = &kinds[i];
        f->file = file_of(f->dir, f->kind);
        g_string_append_printf(known, "%s%s", i ? ", " : "", kinds[i].files);
    }
    if (!f->file)
        return ci_wrong(error, "%s: has none of %s; name the folder of a repository", f->dir,
                        known->str);
    if (f->kind->tool.name) {
        g_autoptr(GRegex) regex = g_regex_new(f->kind->tool.pattern, G_REGEX_MULTILINE, 0, NULL);
        walk(f, "", 0, regex);
    }
    return true;
}

/* A step of the chain, and the words in a benchmark's name that say it is this one. */
static const struct {
    const char *portion, *words, *what;
} steps[] = {
    {"T",
     "none|nothing|baseline|no.?op|empty|without|plain|bare|vanilla|reference|uninstrumented|"
     "untraced",
     "the method alone"},
    {"I", "deactivat|disabled|inactive|off|probe|unsampled|never", "a probe that records nothing"},
    {"C", "collect|record|queue|buffer|no.?export|no.?writ|drop", "records that nobody writes"},
    {"W", "writ|export|file|tcp|otlp|socket|disk|log", "records that are written or sent"},
    {"I+C+W", "", "the whole overhead: nothing in its name says which step it is"},
};
enum { CONTROL, WRITTEN = 3, WHOLE };

static int step_of(const char *name) {
    const char *own = strrchr(name, ':') ? strrchr(name, ':') : strrchr(name, '.');
    for (int step = CONTROL; step < WHOLE; step++)
        if (g_regex_match_simple(steps[step].words, own ? own : name, G_REGEX_CASELESS, 0))
            return step;
    return WHOLE;
}

/* The benchmarks in the order of their steps; each has one parent before it. */
typedef struct {
    const char *name, *program;
    int step;
} ring;

/* As YAML writes any text. */
static char *quoted(const char *text) {
    json_auto_t *value = json_string(text);
    return json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
}

/* The nearest step before it; of several configurations of one step the first. */
static size_t parent_of(const ring *chain, size_t at) {
    size_t parent = 0;
    for (size_t i = 1; i < at && chain[at].step <= WRITTEN; i++)
        if (chain[i].step < chain[at].step && chain[i].step != chain[i - 1].step)
            parent = i;
    return parent;
}

/* "W"; "C+W" where nothing shows C alone; with a number where the step is there already. */
static char *portion_of(const ring *chain, size_t at) {
    const int step = chain[at].step;
    if (at == 0)
        return g_strdup("T");
    GString *portion = g_string_new(NULL);
    for (int from = chain[parent_of(chain, at)].step + 1; step <= WRITTEN && from < step; from++)
        g_string_append_printf(portion, "%s+", steps[from].portion);
    g_string_append(portion, steps[step].portion);
    if (step == CONTROL || (at > 1 && step == chain[at - 1].step))
        g_string_append_printf(portion, "-%zu", at);
    return g_string_free(portion, FALSE);
}

static void put_configuration(GString *yaml, const tool *with, const ring *chain, size_t at) {
    const ring *own = &chain[at];
    const bool stands_in = at == 0 && own->step != CONTROL;
    g_autofree char *portion = portion_of(chain, at), *id = quoted(own->name);
    g_autofree char *filter =
        with->exact ? g_strconcat("^", own->name, "$", NULL) : g_strdup(own->name);
    g_autofree char *inside = quoted(filter);
    inside[strlen(inside) - 1] = '\0';
    g_autoptr(GString) command = g_string_new(with->command);
    g_string_replace(command, "NAME", inside + 1, 1);
    if (with->usual)
        g_string_replace(command, "PROGRAM", own->program ? own->program : with->usual, 1);
    g_string_append_printf(
        yaml, "    - name: c%zu\n      label: %s # %s\n      portion: %s\n", at, id,
        stands_in ? CFG_UNFINISHED ": no benchmark runs without your framework, so "
                                   "this one is the control until one does"
                  : steps[own->step].what,
        portion);
    if (at > 0)
        g_string_append_printf(yaml, "      parent: c%zu\n", parent_of(chain, at));
    g_string_append_printf(yaml, "      result: %s\n", id);
    if (with->usual && !own->program)
        g_string_append_printf(yaml,
                               "      # " CFG_UNFINISHED
                               ": \"%s\" is a guess, nothing says which program holds it\n",
                               with->usual);
    g_string_append_printf(yaml, "      command: %s\n", command->str);
}

static void put_chain(GString *yaml, const finding *f) {
    g_autofree ring *chain = g_new0(ring, f->benchmarks->len);
    guint next = 0;
    for (int step = CONTROL; step <= WHOLE; step++)
        for (guint i = 0; i < f->benchmarks->len; i++)
            if (step_of(f->benchmarks->pdata[i]) == step)
                chain[next++] = (ring){f->benchmarks->pdata[i], f->programs->pdata[i], step};
    g_string_append_printf(
        yaml,
        "  # %u benchmarks of %s. What each is, its name says: T without the framework, I with a "
        "probe "
        "that is off,\n  # C collecting, W writing. A portion is its time less that of its parent; "
        "correct what is guessed wrong.\n  read: %s\n  configurations:\n",
        f->benchmarks->len, f->kind->tool.name, f->kind->tool.read);
    for (guint i = 0; i < f->benchmarks->len; i++)
        put_configuration(yaml, &f->kind->tool, chain, i);
}

/* What the target bench is made of is the benchmark; else what it is called. Owned. */
static char *program_of(const finding *f) {
    if (g_str_equal(f->kind->name, "npm"))
        return g_strdup("node, bench.js");
    g_autofree char *text = g_str_equal(f->kind->name, "make") ? text_of(f->dir, "Makefile") : NULL;
    g_autofree char *made =
        group("^bench[ \\t]*:[ \\t]*(\\w[\\w+-]*/[\\w/+-]+)[ \\t]*$", text ? text : "");
    return g_strconcat("./", made ? made : "bench", NULL);
}

static void put_program(GString *yaml, const finding *f) {
    const kind *of = f->kind;
    g_autofree char *program = program_of(f);
    g_string_append_printf(
        yaml,
        "  # " CFG_UNFINISHED
        ": no benchmark%s%s was found. Write a program that calls a method often "
        "and "
        "prints\n  # what a call took, as \"probe: 123.4 ns\": with nothing of your framework "
        "(none), and with it (probe).\n"
        "%s"
        "  read:\n    pattern: '^(?<name>\\w+): (?<value>[0-9.]+) (?<unit>ns|us|ms)$'\n"
        "  configurations:\n"
        "    - {name: none, label: No instrumentation, portion: T, command: [%s, none]}\n"
        "    - {name: probe, label: With the probe, portion: I, parent: none, command: [%s, "
        "probe]}\n",
        of->tool.name ? " of " : "", of->tool.name ? of->tool.name : "",
        of->tool.id == id_jmh ? "  # An agent needs no program: docs/java-driver.md.\n" : "",
        program, program);
}

/* What Maven calls the jar, as far as pom.xml says so without properties; owned, NULL: it does not.
 */
static char *jar_maven(const char *dir) {
    g_autofree char *whole = text_of(dir, "pom.xml"), *final = program_maven(dir, NULL);
    if (!whole || final || strstr(whole, "<finalName>"))
        return final ? g_strdup_printf("target/%s.jar", final) : NULL;
    g_autoptr(GRegex) inner = g_regex_new(
        "<(parent|dependencies|dependencyManagement|build|profiles)>[\\s\\S]*?</\\1>", 0, 0, NULL);
    g_autofree char *own = g_regex_replace_literal(inner, whole, -1, 0, "", 0, NULL);
    g_autofree char *name = group("<artifactId>\\s*([\\w.-]+)\\s*<", own);
    g_autofree char *version = group("<version>\\s*([\\w.-]+)\\s*<", own);
    return name && version ? g_strdup_printf("target/%s-%s.jar", name, version) : NULL;
}

/* An agent of the JVM is measured by moowatch's own program, whatever it instruments. */
static void put_agent(GString *yaml, const finding *f) {
    const bool maven = g_str_equal(f->kind->name, "Maven");
    g_autofree char *jar = maven ? jar_maven(f->dir) : NULL;
    g_string_append_printf(
        yaml,
        "  # %s names a Premain-Class, so this is an agent. moowatch's own program is measured "
        "with and without it;\n"
        "  # you write none. " CFG_UNFINISHED ": tell the agent, after \"=\" or by a property, to "
        "instrument the package\n"
        "  # moowatch.moobench.application and no other%s. Step by step: docs/java-driver.md.\n"
        "  configurations:\n"
        "    - {name: none, label: No instrumentation, portion: T}\n"
        "    - {name: agent, label: With the agent, portion: I+C+W, parent: none, options: "
        "[\"-javaagent:%s\"]}\n",
        f->file, jar ? "" : ", and correct the name of its jar",
        jar     ? jar
        : maven ? "target/agent.jar"
                : "build/libs/agent.jar");
}

/* What git says of the folder, else what is usual; owned. */
static char *git_says(const char *dir, const char *words, const char *usual) {
    g_auto(GStrv) argv = g_strsplit(words, " ", -1);
    g_autofree char *out = NULL;
    int status = 1;
    if (!g_spawn_sync(dir, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                      &out, NULL, &status, NULL) ||
        status != 0)
        return g_strdup(usual);
    g_strstrip(out);
    return *out ? g_steal_pointer(&out) : g_strdup(usual);
}

/* The folder's, in letters that a project's name may have. */
static char *name_of(const char *dir) {
    g_autofree char *base = g_path_get_basename(dir);
    g_autofree char *lower = g_ascii_strdown(base, -1);
    g_strcanon(lower, "abcdefghijklmnopqrstuvwxyz0123456789-", '-');
    const char *from = lower + strspn(lower, "-");
    return g_strdup(*from ? from : "project");
}

static bool is_agent(const finding *f) {
    g_autofree char *text = f->kind->tool.id == id_jmh ? text_of(f->dir, f->file) : NULL;
    return f->benchmarks->len == 0 && text && strstr(text, "Premain-Class");
}

/* YAML: what makes a commit ready, as far as the files show where the usual command does not. */
static const char *prepare_of(const finding *f) {
    const char *usual = f->kind->prepare;
    if (g_str_equal(f->kind->name, "npm")) {
        g_autofree char *lock = text_of(f->dir, "package-lock.json");
        return lock ? usual : "[npm, install, --no-audit, --no-fund]";
    }
    if (is_agent(f) && g_str_equal(f->kind->name, "Gradle"))
        return "[./gradlew, -q, assemble]";
    g_autofree char *text =
        g_str_equal(f->kind->name, "make") ? text_of(f->dir, "Makefile") : g_strdup("");
    return text && g_regex_match_simple("^bench\\s*:", text, G_REGEX_MULTILINE, 0) ? "[make, bench]"
                                                                                   : usual;
}

/* A line about a program that this shell finds and no runner does, which has a PATH of its own. */
static char *missing_of(const char *prepare) {
    g_autofree char *name = group("^\\[(\\w+)", prepare);
    g_autofree char *here = name ? g_find_program_in_path(name) : NULL;
    g_autofree char *folder = here ? g_path_get_dirname(here) : g_strdup("/usr/bin");
    static const char *const usual[] = {"/usr/local/bin", "/usr/bin", "/bin", NULL};
    return g_strv_contains(usual, folder)
               ? g_strdup("")
               : g_strdup_printf("  # " CFG_UNFINISHED
                                 ": %s is not where a runner looks (/usr/local/bin, "
                                 "/usr/bin, /bin); link it there, or name %s in path of "
                                 "moowatch-runner.yaml (moowatch run: --path).\n",
                                 here, folder);
}

static char *project_of(const finding *f, const char *name) {
    g_autofree char *url = git_says(f->dir, "git config --get remote.origin.url", f->dir);
    g_autofree char *branch = git_says(f->dir, "git symbolic-ref --short HEAD", "main");
    g_autofree char *address = quoted(url), *quoted_branch = quoted(branch);
    const char *prepare = prepare_of(f);
    g_autofree char *missing = missing_of(prepare);
    GString *yaml = g_string_new(NULL);
    g_string_append_printf(
        yaml,
        "# Written by \"moowatch init\" from what lies in the repository. Try it here:\n"
        "#   moowatch run %s.yaml --repository %s --loops 2\n"
        "# then give it to the server, in projects.d. All keys: docs/configure.md; more chains: "
        "docs/frameworks.md.\n"
        "name: %s\nrepository: %s # the address that the server fetches\nbranch: %s\nbenchmark:\n"
        "  driver: %s\n"
        "  # %s: there is a %s. This makes each commit ready, before it is measured:\n"
        "%s  prepare: %s\n"
        "  # So many fresh processes of each configuration a night: intervals are of these.\n"
        "  loops: 10\n",
        name, f->dir, name, address, quoted_branch, is_agent(f) ? "java" : "command", f->kind->name,
        f->file, missing, prepare);
    if (f->benchmarks->len > 0)
        put_chain(yaml, f);
    else if (is_agent(f))
        put_agent(yaml, f);
    else
        put_program(yaml, f);
    return g_string_free(yaml, FALSE);
}

/* Only where nothing is. Then the reader of "project check" reads it. */
static bool write_checked(const char *path, const char *text, GError **error) {
    FILE *file = fopen(path, "wxe");
    if (!file)
        return ci_wrong(error, "%s: %s", path,
                        errno == EEXIST ? "exists already; move it away, or choose another "
                                          "place with --output"
                                        : g_strerror(errno));
    const bool written = fputs(text, file) >= 0;
    if (fclose(file) != 0 || !written)
        return ci_wrong(error, "%s: %s", path, g_strerror(errno));
    g_autoptr(cfg_project) project = cfg_project_load(path, error);
    return project != NULL;
}

static bool init(const char *dir, const char *output, GError **error) {
    g_autofree char *whole = g_canonicalize_filename(dir, NULL);
    g_autoptr(GPtrArray) benchmarks = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) programs = g_ptr_array_new_with_free_func(g_free);
    finding f = {.dir = whole, .benchmarks = benchmarks, .programs = programs};
    if (!g_utf8_validate(whole, -1, NULL))
        return ci_wrong(error,
                        "the name of the folder is not UTF-8; a project file cannot hold it");
    if (!look(&f, error))
        return false;
    g_autofree char *name = name_of(whole), *usual = g_strconcat(name, ".yaml", NULL);
    g_autofree char *text = project_of(&f, name);
    const char *path = output ? output : usual;
    if (!write_checked(path, text, error))
        return false;
    (void)printf(
        "%s: %s, %u benchmarks%s%s%s; read its comments, then: moowatch run %s --repository "
        "%s --loops 2\n",
        path, f.kind->name, benchmarks->len, benchmarks->len ? " of " : "",
        benchmarks->len ? f.kind->tool.name : "", is_agent(&f) ? ", an agent" : "", path, dir);
    return true;
}

static const ci_usage usage = {
    .synopsis = "init [DIR]",
    .description =
        "Looks at a repository, by default this folder, and writes a project file for it:\n"
        "CMake, Gradle, Maven, cargo, go, npm, Python, make, and the benchmarks of their\n"
        "usual tools. Its comments say what was found. Nothing is overwritten.",
    .least = 0,
    .most = 1};

static ci_exit run_init(int argc, char **argv, GError **error) {
    char *output = NULL;
    const GOptionEntry entries[] = {{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
                                     "Write this file (default: the folder's name, .yaml)", "FILE"},
                                    {0}};
    if (ci_parse(&usage, entries, &argc, &argv, error) &&
        init(argc > 1 ? argv[1] : ".", output, error))
        return CI_OK;
    return CI_INPUT;
}

const ci_command ci_command_init = {"init", "write a first project file for a repository",
                                    run_init};
