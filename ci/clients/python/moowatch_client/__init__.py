"""Reads (and, with a token, writes) a moowatch server.

Values ending in _ns are nanoseconds, in _ms Unix milliseconds, as in the server's openapi.yaml. Answers are the
dictionaries of the API: a newer server may put more into them.
"""
from .client import ApiError, Client
from .figures import Figure, overhead_bars, stacked_portions
from .rows import alert_rows, configuration_rows, data_frame, dimension_rows, loop_rows, portion_rows

__all__ = ["ApiError", "Client", "Figure", "alert_rows", "configuration_rows", "data_frame", "dimension_rows",
           "loop_rows", "overhead_bars", "portion_rows", "stacked_portions"]
__version__ = "0.1.0"
