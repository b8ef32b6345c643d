#pragma once
/*
 * scouter - datagrams of Scouter's agent for Java.
 *
 * Big endian. "CAFE" and a pack; "CAFN", a count (2 bytes) and so many packs one after the other,
 * whose lengths only their types tell; "CAFM" and a piece of a pack that was too large. The agent
 * sends what belongs to a call by itself, at once: an XLOG (a transaction) and its profile, which
 * holds a step for each activation of a hooked method. Names and counters come in lists.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * rcv_scouter_count - one datagram.
 * steps   out, activations of methods in a profile
 * others  out, packs that are not profiles, pieces
 * Returns false when it is neither of these, or a profile with a step that is not known here.
 */
bool rcv_scouter_count(const uint8_t *datagram, size_t size, uint64_t *steps, uint64_t *others);
