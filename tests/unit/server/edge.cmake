# The listening side.
moowatch_unit(server/test_nights LIBS moowatch_server)
