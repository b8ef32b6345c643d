// Runs a Jenkinsfile with our shared library by JenkinsPipelineUnit, on the Groovy that Jenkins has. Steps that change
// files are done for real (sh), the others are told. Arguments: folder with moowatch@main/vars, Jenkinsfile, workspace.
import com.lesfurets.jenkins.unit.BasePipelineTest
import static com.lesfurets.jenkins.unit.global.lib.LibraryConfiguration.library
import static com.lesfurets.jenkins.unit.global.lib.LocalSource.localSource

class Pipeline extends BasePipelineTest {
    File workspace
    List environment = []
    Map build = [result: 'SUCCESS']

    def shell(Map options) {
        def process = ['bash', '-e', '-c', options.script.toString()].execute(
            System.getenv().collect { k, v -> "$k=$v".toString() } + environment, workspace)
        def printed = new StringBuilder()
        def readers = [process.consumeProcessOutputStream(options.returnStdout ? printed : System.err),
                       process.consumeProcessErrorStream(System.err)]
        int status = process.waitFor()
        readers*.join()
        if (status && !options.returnStatus) throw new RuntimeException("script returned exit code $status")
        return options.returnStdout ? printed.toString() : status
    }

    def around(List more, Closure body) {
        def before = environment
        environment = environment + more
        try { return body.call() } finally { environment = before }
    }

    void allow(String name, List kinds, Closure body) { helper.registerAllowedMethod(name, kinds, body) }

    void allowAll() {
        for (name in ['pipeline', 'triggers', 'stages', 'steps', 'node']) allow(name, [Closure]) { c -> c.call() }
        allow('stage', [String, Closure]) { name, c -> c.call() }
        for (name in ['agent', 'cron', 'echo']) {
            def word = name
            allow(name, [String]) { text -> println "$word $text" }
        }
        allow('sh', [Map]) { options -> shell(options) }
        allow('sh', [String]) { text -> shell([script: text]) }
        allow('checkout', [Object]) { what -> println "checkout $what" }
        allow('library', [Map]) { options -> println "library ${options.identifier}" }
        allow('modernSCM', [Map]) { options -> options }
        allow('withEnv', [List, Closure]) { more, c -> around(more, c) }
        allow('string', [Map]) { options -> options }
        allow('withCredentials', [List, Closure]) { bindings, c ->
            around(bindings.collect { "${it.variable}=${System.getenv('JENKINS_SECRET')}".toString() }, c)
        }
        allow('fileExists', [String]) { name -> new File(workspace, name).exists() }
        allow('junit', [Map]) { options -> println "junit ${options.testResults}" }
        allow('archiveArtifacts', [Map]) { options -> println "archiveArtifacts ${options.artifacts}" }
        allow('plot', [Map]) { options -> println "plot ${options.csvSeries*.file}" }
        allow('error', [String]) { text -> throw new RuntimeException(text) }
        binding.setVariable('any', 'any')
        binding.setVariable('scm', 'scm')
        binding.setVariable('env', [GIT_COMMIT: System.getenv('GIT_COMMIT')])
        binding.setVariable('currentBuild', build)
    }
}

def pipeline = new Pipeline(workspace: new File(args[2]))
pipeline.setUp()
pipeline.helper.registerSharedLibrary(library().name('moowatch').defaultVersion('main').allowOverride(true)
    .implicit(true).targetPath(args[0]).retriever(localSource(args[0])).build())
pipeline.allowAll()
def script = pipeline.loadScript(args[1])
try {
    println "returned ${script.run()}"
} catch (RuntimeException e) {
    println "error ${e.message}"
}
println "result ${pipeline.build.result}"
