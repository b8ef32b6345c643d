/* The line of a log in which a program says why it failed: what real programs printed, shortened.
 */
#include "runner/process/complaint.h"

#include "tests/unit/runner/test.h"

#include <string.h>

typedef struct {
    const char *log, *says;
} said;

static void expect(const said *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        g_autofree char *complaint = run_complaint_of(cases[i].log);
        assert_string_equal(complaint, cases[i].says);
    }
}

static void the_last_line_that_is_no_frame(void **state) {
    (void)state;
    static const said cases[] = {
        {NULL, ""},
        {"", ""},
        {" \n\t\n", ""},
        {"one\ntwo\n", "two"},
        {"one\n  two  \n\n", "two"},
        {"ERROR: no lock\n\tat org.Runner.run(Runner.java:199)\n\tat org.Main.main(Main.java:71)\n",
         "ERROR: no lock"},
        {"Exception: late\n\tat a.b(c.java:1)\nCaused by: E: early\n\tat a.c(c.java:2)\n\t... 12 "
         "more\n",
         "Caused by: E: early"},
        {"at last\n", "at last"}, /* not a frame: it begins the line */
        {"\tat a.b(c.java:1)\n", ""},
        {"bad \xff byte", "bad \xef\xbf\xbd byte"},
        {"why\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
         "why"},
        {"Node.js v20.19.2\n", ""}, /* nothing but where it is said */
    };
    expect(cases, G_N_ELEMENTS(cases));
    g_autofree char *long_line = g_strnfill(1000, 'x');
    g_autofree char *shortened = run_complaint_of(long_line);
    assert_int_equal(strlen(shortened), 400);
}

#define VERSION "\nNode.js v20.20.2\n"

static void of_a_runtime_that_goes_on_below(void **state) {
    (void)state;
    static const said cases[] = {
        {"/tmp/a.js:1\nconst f = () => { throw new Error(\"why so\") }\n                  ^\n\n"
         "Error: why so\n    at f (/tmp/a.js:1:25)\n    at node:internal/main:28:49\n" VERSION,
         "Error: why so"},
        {"node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module "
         "'x'\nRequire stack:\n- /tmp/[eval]\n    at [eval]:1:1 {\n  code: 'MODULE_NOT_FOUND',\n"
         "  requireStack: [ '/tmp/[eval]' ]\n}\n" VERSION,
         "Error: Cannot find module 'x'"},
        {"\n[eval]:1\nthrow \"text\"\n^\ntext\n(Use `node --trace-uncaught ...` to show where the "
         "exception was thrown)\n" VERSION,
         "text"},
        {"/tmp/s.js:1\nfoo bar\n    ^^^\n\nSyntaxError: Unexpected identifier 'bar'\n    at "
         "wrapSafe (node:internal/modules/cjs/loader:1464:18)\n" VERSION,
         "SyntaxError: Unexpected identifier 'bar'"},
        {"panic: runtime error: index out of range [5] with length 0\n\ngoroutine 1 "
         "[running]:\nmain.f(...)\n\t/tmp/g.go:2\nmain.main()\n\t/tmp/g.go:3 +0xa\nexit status 2\n",
         "panic: runtime error: index out of range [5] with length 0"},
        {"panic: what a script says\nand more\n", "and more"}, /* no goroutine */
        {"\nthread '<unnamed>' (3) panicked at p.rs:1:45:\nwhy so\nnote: run with "
         "`RUST_BACKTRACE=1` environment variable to display a backtrace\n\nthread 'main' (1) "
         "panicked at p.rs:1:75:\ncalled `Result::unwrap()` on an `Err` value: Any { .. }\n",
         "why so"},
        {"thread 'main' panicked at 'why', p.rs:2:5\nnote: run with `RUST_BACKTRACE=1` ...\n",
         "thread 'main' panicked at 'why', p.rs:2:5"},
    };
    expect(cases, G_N_ELEMENTS(cases));
}

#define FATAL                                                                                      \
    "*** java.lang.instrument ASSERTION FAILED ***: \"result\"\nFATAL ERROR in native method: "    \
    "processing of -javaagent failed, processJavaStart failed\nNative frames: (C=native code)\n"   \
    "C  [libjli.so+0x7b49]  ThreadJavaMain+0x9\n\n"

static void of_an_agent_that_ends_the_jvm(void **state) {
    (void)state;
    static const said cases[] = {
        {"Exception in thread \"main\" java.lang.reflect.InvocationTargetException\n\tat "
         "a.b(c.java:1)\nCaused by: E: late\n\tat a.b(c.java:1)\nCaused by: "
         "java.lang.UnsupportedOperationException: not on Java 25\n\tat Agent.premain(Agent.java:1)"
         "\n\t... 6 more\n" FATAL,
         "Caused by: java.lang.UnsupportedOperationException: not on Java 25"},
        {"Exception in thread \"main\" java.lang.UnsupportedClassVersionError: Old has been "
         "compiled by a more recent version of the Java Runtime\n\tat a.b(c.java:1)\n" FATAL,
         "Exception in thread \"main\" java.lang.UnsupportedClassVersionError: Old has been "
         "compiled by a more recent version of the Java Runtime"},
        {"Error opening zip file or JAR manifest missing : none.jar\nError occurred during "
         "initialization of VM\nagent library failed to init: instrument\n",
         "Error opening zip file or JAR manifest missing : none.jar"},
    };
    expect(cases, G_N_ELEMENTS(cases));
}

#define NOT_FOUND "ERROR: No matching distribution found for opentelemetry-sdk==1.46.0"
#define IGNORED "ERROR: Ignored the following versions that require a different python version: "

static void of_a_client_of_a_registry(void **state) {
    (void)state;
    static const said cases[] = {
        {"[ERROR] COMPILATION ERROR : \n[ERROR] /a/B.java:[3,5] cannot find symbol\n[ERROR] -> "
         "[Help "
         "1]\n",
         "[ERROR] /a/B.java:[3,5] cannot find symbol"},
        {"why\n\033[?25h\n", "why"},
        {"\033[0m\033[0m[ERROR] Failed to execute goal on project night: Could not find artifact "
         "a:b:jar:9.9.9 -> [Help 1]\n[ERROR] \n[ERROR] To see the full stack trace of the errors, "
         "re-run Maven with the -e switch.\n[ERROR] [Help 1] http://cwiki.example\n\033[0m\033[0m",
         "[ERROR] Failed to execute goal on project night: Could not find artifact a:b:jar:9.9.9 "
         "-> [Help 1]"},
        {"npm error code ETARGET\nnpm error notarget No matching version found for "
         "left-pad@9.9.9.\nnpm error A complete log of this run can be found in: /x\n",
         "npm error notarget No matching version found for left-pad@9.9.9."},
        {"npm error code EBADENGINE\nnpm error engine Unsupported engine\nnpm error notsup "
         "Required: {\"node\":\">=99\"}\nnpm error notsup Actual:   {\"node\":\"v20.20.2\"}\nnpm "
         "error A complete log of this run can be found in: /x\n",
         "npm error notsup Required: {\"node\":\">=99\"}"},
        {"ERROR: Could not find a version that satisfies the requirement (from versions: "
         "1.38.0)\n" NOT_FOUND "\n\n[notice] A new release of pip is available\n",
         NOT_FOUND},
        {IGNORED "1.45.2 Requires-Python >=3.10; 1.46.0 Requires-Python >=3.12; 1.46.1 "
                 "Requires-Python >=3.12\n" NOT_FOUND "\n",
         NOT_FOUND " (1.46.0 Requires-Python >=3.12)"},
        {IGNORED "1.46.01 Requires-Python >=3.12\n" NOT_FOUND "\n", NOT_FOUND},
        {"error: failed to select a version for the requirement `tracing = \"=9.9.9\"`\ncandidate "
         "versions found which didn't match: 0.1.44\nlocation searched: crates.io index\nrequired "
         "by package `p v0.1.0 (/tmp)`\n",
         "error: failed to select a version for the requirement `tracing = \"=9.9.9\"`"},
        {"error: rustc 1.95.0 is not supported by the following package:\n  p@0.1.0 requires rustc "
         "1.999\n\n",
         "p@0.1.0 requires rustc 1.999"},
        {"error: rustc 1.85.1 is not supported by the following packages:\n  b@3.1.2 requires "
         "rustc "
         "1.90.0\nEither upgrade rustc or select compatible dependency versions with\n`cargo "
         "update "
         "<name>@<current-ver> --precise <compatible-ver>`\nwhere `<compatible-ver>` is the latest "
         "version supporting rustc 1.85.1\n",
         "b@3.1.2 requires rustc 1.90.0"},
        {"error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:1:12\n\nFor more "
         "information about this error, try `rustc --explain E0425`.\nerror: could not compile `p` "
         "(bin \"p\") due to 1 previous error\n",
         "error[E0425]: cannot find value `x` in this scope"},
        {"cc -c x.c\nx.c: In function 'f':\nx.c:1:22: error: 'y' undeclared\nx.c:1:22: note: each "
         "one is reported once\nmake: *** [Makefile:2: all] Error 1\n",
         "x.c:1:22: error: 'y' undeclared"},
        {"make: *** No rule to make target 'all'.  Stop.\n",
         "make: *** No rule to make target 'all'.  Stop."},
    };
    expect(cases, G_N_ELEMENTS(cases));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_line_that_is_no_frame),
        cmocka_unit_test(of_a_runtime_that_goes_on_below),
        cmocka_unit_test(of_an_agent_that_ends_the_jvm),
        cmocka_unit_test(of_a_client_of_a_registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
