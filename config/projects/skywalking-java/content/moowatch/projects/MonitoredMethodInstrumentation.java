package moowatch.projects;

import org.apache.skywalking.apm.agent.core.plugin.interceptor.ConstructorInterceptPoint;
import org.apache.skywalking.apm.agent.core.plugin.interceptor.InstanceMethodsInterceptPoint;
import org.apache.skywalking.apm.agent.core.plugin.interceptor.enhance.ClassInstanceMethodsEnhancePluginDefine;
import org.apache.skywalking.apm.agent.core.plugin.match.ClassMatch;
import org.apache.skywalking.apm.agent.core.plugin.match.NameMatch;
import org.apache.skywalking.apm.dependencies.net.bytebuddy.description.method.MethodDescription;
import org.apache.skywalking.apm.dependencies.net.bytebuddy.matcher.ElementMatcher;
import org.apache.skywalking.apm.dependencies.net.bytebuddy.matcher.ElementMatchers;

/** A plugin for SkyWalking's agent: a local span for each activation of the monitored method. */
public final class MonitoredMethodInstrumentation extends ClassInstanceMethodsEnhancePluginDefine {
    @Override
    protected ClassMatch enhanceClass() {
        return NameMatch.byName("moowatch.moobench.application.MonitoredClass");
    }

    @Override
    public ConstructorInterceptPoint[] getConstructorsInterceptPoints() {
        return new ConstructorInterceptPoint[0];
    }

    @Override
    public InstanceMethodsInterceptPoint[] getInstanceMethodsInterceptPoints() {
        return new InstanceMethodsInterceptPoint[] {new MonitoredMethod()};
    }

    private static final class MonitoredMethod implements InstanceMethodsInterceptPoint {
        @Override
        public ElementMatcher<MethodDescription> getMethodsMatcher() {
            return ElementMatchers.named("monitoredMethod");
        }

        @Override
        public String getMethodsInterceptor() {
            return "moowatch.projects.SpanInterceptor";
        }

        @Override
        public boolean isOverrideArgs() {
            return false;
        }
    }
}
