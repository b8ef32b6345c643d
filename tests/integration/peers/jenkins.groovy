// Runs the shared library's step as a pipeline does: each pipeline step it calls is here, doing for real what it
// would do on an agent (sh) or writing down that it was called. Arguments: vars/moowatch.groovy, workspace, a map.
import org.codehaus.groovy.control.CompilerConfiguration

class Pipeline extends Script {
    static File workspace
    static List calls = []
    static Map secrets = [:]
    List environment = []
    def currentBuild = [result: 'SUCCESS']
    def env = [GIT_COMMIT: System.getenv('GIT_COMMIT')]

    def run() { null }
    def sh(argument) {
        def options = argument instanceof Map ? argument : [script: argument]
        def process = ['bash', '-e', '-c', options.script].execute(
            System.getenv().collect { k, v -> "$k=$v".toString() } + environment, workspace)
        process.consumeProcessOutput(System.err, System.err)
        int status = process.waitFor()
        if (options.returnStatus) return status
        if (status) error("script returned exit code $status")
    }
    def withEnv(List more, Closure body) { around(more, body) }
    def withCredentials(List bindings, Closure body) { around(bindings.collect { "${it.variable}=${secrets[it.credentialsId]}".toString() }, body) }
    private around(List more, Closure body) {
        def before = environment
        environment = environment + more
        try { body() } finally { environment = before }
    }
    def string(Map options) { options }
    def fileExists(String name) { new File(workspace, name).exists() }
    def junit(Map options) { calls << "junit ${options.testResults}" }
    def archiveArtifacts(Map options) { calls << "archiveArtifacts ${options.artifacts}" }
    def echo(text) { calls << "echo $text" }
    def error(text) { throw new RuntimeException(text.toString()) }
}

Pipeline.workspace = new File(args[1])
Pipeline.secrets = [token: System.getenv('JENKINS_SECRET')]
def configuration = new CompilerConfiguration(scriptBaseClass: 'Pipeline')
def step = new GroovyShell(this.class.classLoader, new Binding(), configuration).parse(new File(args[0]))
step.run()
try {
    def good = step.call(Eval.me(args[2]))
    Pipeline.calls << "good $good"
} catch (RuntimeException e) {
    Pipeline.calls << "error ${e.message}"
}
Pipeline.calls << "result ${step.currentBuild.result}"
Pipeline.calls.each { println it }
