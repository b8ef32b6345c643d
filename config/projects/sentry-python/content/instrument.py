"""A transaction around the outer activation of a call and a span around each other one, by Sentry's SDK, in the way that SENTRY_MODE says."""
import functools
import os

RATES = {"deactivated": None, "unsampled": 0.0, "collecting": 1.0, "envelopes": 1.0}


def around(method, sentry_sdk):
    depth = 0

    @functools.wraps(method)
    def wrapper(*arguments, **named):
        nonlocal depth
        start = sentry_sdk.start_span if depth else sentry_sdk.start_transaction
        depth += 1
        try:
            with start(op="function", name="monitored_method"):
                return method(*arguments, **named)
        finally:
            depth -= 1
    return wrapper


def instrument(application):
    import sentry_sdk
    from sentry_sdk.transport import Transport

    class Nowhere(Transport):
        """Takes what is made and forgets it."""
        def capture_envelope(self, envelope):
            pass

    mode = os.environ["SENTRY_MODE"]
    sends = {} if mode == "envelopes" else {"transport": Nowhere}
    sentry_sdk.init(dsn=f"http://key@127.0.0.1:{os.environ.get('SENTRY_PORT', '9')}/1", traces_sample_rate=RATES[mode],
                    default_integrations=False, auto_enabling_integrations=False, auto_session_tracking=False, **sends)
    method = application.MonitoredClass.monitored_method
    application.MonitoredClass.monitored_method = around(method, sentry_sdk)
    return sentry_sdk.flush
