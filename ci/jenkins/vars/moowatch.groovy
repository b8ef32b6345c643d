/*
 * moowatch: have the build's commit measured on the idle node, publish what was found, and mark the
 * build when a portion of the overhead rose.
 *
 *   moowatch server: 'https://overhead.example.org', project: 'kieker-java', credentials: 'moowatch'
 *
 * server, project   required
 * credentials       id of a "secret text" with a token of scope run
 * commit            default: the commit of this build (GIT_COMMIT), or the one that is checked out
 * artifact          file that was built of it, handed in first (benchmark.artifact)
 * wait              seconds to wait for the result, default 7200; 0 only asks for it
 * portions, allow   lists as ['C', 'W'] and maps as [W: 10] (percent): what matters
 * onRise            'UNSTABLE' (default), 'FAILURE' or 'SUCCESS'
 * results           instead of a server: folder or zip of MooBench results; baseline: compared with
 * Leaves moowatch/junit.xml, plot.csv, summary.md and report.html in the workspace.
 */
def call(Map options) {
    String files = '--junit moowatch/junit.xml --plot-csv moowatch/plot.csv ' +
        '--markdown moowatch/summary.md --html moowatch/report.html'
    int status
    // what an earlier build left in the workspace is not this one's
    sh 'mkdir -p moowatch && rm -f moowatch/junit.xml moowatch/plot.csv moowatch/summary.md moowatch/report.html'
    if (options.results) {
        String verb = options.baseline ? "compare ${quoted(options.baseline)}" : 'analyze'
        status = sh(returnStatus: true, script: "moowatch ${verb} ${quoted(options.results)} ${files}")
    } else {
        status = measure(options, files)
    }
    return publish(options, status)
}

private int measure(Map options, String files) {
    if (!options.server || !options.project) {
        error 'moowatch: server and project are needed (or results)'
    }
    String commit = options.commit ?: env.GIT_COMMIT ?:
        sh(returnStdout: true, script: 'git rev-parse HEAD 2>/dev/null || true').trim()
    if (!commit) {
        error 'moowatch: which commit? Check the sources out first, or give commit'
    }
    int wait = options.wait == null ? 7200 : options.wait as int
    String what = "${quoted(options.project)} ${quoted(commit)}"
    String artifact = options.artifact ? "--artifact ${quoted(options.artifact)} " : ''
    String policy = ''
    for (portion in (options.portions ?: [])) {
        policy += " --portion ${quoted(portion)}"
    }
    for (portion in (options.allow ?: [:]).keySet()) {
        policy += " --allow ${quoted("${portion}=${options.allow[portion]}")}"
    }
    int status = 0
    Closure steps = {
        withEnv(["MOOWATCH_SERVER=${options.server}"]) {
            status = sh(returnStatus: true, script: "moowatch submit ${artifact}${what} --wait ${wait}")
            if (status == 0 && wait > 0) {
                status = sh(returnStatus: true, script: "moowatch gate ${what} --timeout ${wait}${policy} ${files}")
            }
        }
    }
    if (options.credentials) {
        withCredentials([string(credentialsId: options.credentials, variable: 'MOOWATCH_TOKEN')]) { steps() }
    } else {
        steps()
    }
    return status
}

private boolean publish(Map options, int status) {
    if (fileExists('moowatch/junit.xml')) {
        junit allowEmptyResults: true, skipMarkingBuildUnstable: true, testResults: 'moowatch/junit.xml'
        archiveArtifacts artifacts: 'moowatch/*', allowEmptyArchive: true
    }
    if (status == 1) {
        String result = options.onRise ?: 'UNSTABLE'
        echo "moowatch: a portion of the monitoring overhead rose (${result})"
        if (result != 'SUCCESS') {
            currentBuild.result = result
        }
    } else if (status == 6) {
        echo 'moowatch: nobody can tell whether the monitoring overhead rose; the summary says why'
        currentBuild.result = 'UNSTABLE'
    } else if (status != 0) {
        Map reasons = [2: 'an option is wrong', 3: 'the input is wrong, or the measurement failed',
                       4: 'the server cannot be reached, or refuses', 5: 'no result in time']
        error "moowatch: ${reasons[status] ?: "status ${status}"}; the log above says more"
    }
    return status == 0
}

/* One word of a shell command, whatever is in it. */
private String quoted(Object text) {
    return "'" + text.toString().replace("'", "'\\''") + "'"
}
