package moowatch.projects;

import java.lang.reflect.Method;
import org.apache.skywalking.apm.agent.core.context.ContextManager;
import org.apache.skywalking.apm.agent.core.plugin.interceptor.enhance.EnhancedInstance;
import org.apache.skywalking.apm.agent.core.plugin.interceptor.enhance.InstanceMethodsAroundInterceptor;
import org.apache.skywalking.apm.agent.core.plugin.interceptor.enhance.MethodInterceptResult;

/** What SkyWalking's own plugin for its annotation {@code @Trace} does, without tags. */
public final class SpanInterceptor implements InstanceMethodsAroundInterceptor {
    @Override
    public void beforeMethod(
            final EnhancedInstance instance,
            final Method method,
            final Object[] arguments,
            final Class<?>[] types,
            final MethodInterceptResult result) {
        ContextManager.createLocalSpan("MonitoredClass.monitoredMethod");
    }

    @Override
    public Object afterMethod(
            final EnhancedInstance instance,
            final Method method,
            final Object[] arguments,
            final Class<?>[] types,
            final Object result) {
        ContextManager.stopSpan();
        return result;
    }

    @Override
    public void handleMethodException(
            final EnhancedInstance instance,
            final Method method,
            final Object[] arguments,
            final Class<?>[] types,
            final Throwable thrown) {
        ContextManager.activeSpan().log(thrown);
    }
}
