package moowatch.demo.probe;

import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import kieker.common.record.controlflow.OperationExecutionRecord;
import kieker.monitoring.core.controller.IMonitoringController;
import kieker.monitoring.core.controller.MonitoringController;
import kieker.monitoring.core.registry.ControlFlowRegistry;
import kieker.monitoring.core.registry.SessionRegistry;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.Signature;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.reflect.MethodSignature;

/**
 * What Kieker's ticket #996 was about, rebuilt: the probe of 1.7 put the operation's signature
 * together at every call, before asking whether it was to be monitored at all. Release 1.7 itself is
 * not in Maven Central.
 *
 * <p>The record gets the cached text that 1.8 gives it, so that the two nights differ in the asking
 * alone.
 */
@Aspect
public class SignatureFirstAspect {
    private static final IMonitoringController CONTROLLER = MonitoringController.getInstance();
    private static final ControlFlowRegistry TRACES = ControlFlowRegistry.INSTANCE;
    private static final String SESSION = SessionRegistry.INSTANCE.recallThreadLocalSessionId();
    private static final Map<Signature, String> TEXTS = new ConcurrentHashMap<>();

    @Around("execution(* *(..)) && within(moowatch.moobench.application..*)")
    public Object operation(final ProceedingJoinPoint call) throws Throwable {
        final String signature = text((MethodSignature) call.getSignature());
        if (!CONTROLLER.isMonitoringEnabled() || !CONTROLLER.isProbeActivated(signature)) {
            return call.proceed();
        }
        return this.monitored(call, TEXTS.computeIfAbsent(call.getSignature(), known -> signature));
    }

    private Object monitored(final ProceedingJoinPoint call, final String signature)
            throws Throwable {
        long trace = TRACES.recallThreadLocalTraceId();
        final boolean entry = trace == -1;
        final int order;
        final int depth;
        if (entry) {
            trace = TRACES.getAndStoreUniqueThreadLocalTraceId();
            TRACES.storeThreadLocalEOI(0);
            TRACES.storeThreadLocalESS(1);
            order = 0;
            depth = 0;
        } else {
            order = TRACES.incrementAndRecallThreadLocalEOI();
            depth = TRACES.recallAndIncrementThreadLocalESS();
        }
        final long start = CONTROLLER.getTimeSource().getTime();
        try {
            return call.proceed();
        } finally {
            final long stop = CONTROLLER.getTimeSource().getTime();
            CONTROLLER.newMonitoringRecord(new OperationExecutionRecord(
                    signature, SESSION, trace, start, stop, CONTROLLER.getHostname(), order, depth));
            if (entry) {
                TRACES.unsetThreadLocalTraceId();
                TRACES.unsetThreadLocalEOI();
                TRACES.unsetThreadLocalESS();
            } else {
                TRACES.storeThreadLocalESS(depth);
            }
        }
    }

    private static String text(final MethodSignature signature) {
        final StringBuilder text = new StringBuilder(128);
        text.append(Modifier.toString(signature.getModifiers())).append(' ');
        text.append(signature.getReturnType().getName()).append(' ');
        text.append(signature.getDeclaringTypeName()).append('.').append(signature.getName());
        text.append('(');
        String separator = "";
        for (final Class<?> type : signature.getParameterTypes()) {
            text.append(separator).append(type.getName());
            separator = ", ";
        }
        return text.append(')').toString();
    }
}
