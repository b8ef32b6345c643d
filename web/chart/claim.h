#pragma once
/*
 * claim - what two nights side by side may say of a portion that differs: no more than each of them
 * knows by itself. The loops of a night do not show by how much nights differ; verdicts do.
 */
#include "config/model/night.h"

/* Of a difference whose own interval leaves out 0, or that has none. */
typedef enum {
    WEB_CLAIM_LOOPS, /* nothing was judged of it: what its interval shows */
    WEB_CLAIM_SHOWN, /* that it rose, or fell */
    WEB_CLAIM_ASKED, /* that it may have */
    WEB_CLAIM_SMALL, /* that it has changed, by less than is told */
    WEB_CLAIM_LITTLE /* that it is not shown to have changed */
} web_claim;

/* One of the two nights, its portion, and the mean that is compared. Borrowed. */
typedef struct {
    const cfg_night *night;
    const cfg_portion *portion;
    double mean;
} web_claim_side;

/**
 * web_claim_of - asked, where one of them is in question or was cleared. Where one was judged
 * against nights that the other is of, its verdict; else whether their levels lie apart, as they
 * were judged. Of two that nothing was judged of the loops alone speak, and nobody where these have
 * no interval.
 */
web_claim web_claim_of(const web_claim_side *a, const web_claim_side *b);

/* What moved between two nights that is not the code: "Everything × 1.08 since 2026-11-27", NULL:
 * nothing; by which factor, with its interval: all that is known of it, NaN: of no portion. */
typedef struct {
    char *words; /* owned */
    det_interval factor;
} web_moved;

/* web_claim_otherwise - do their levels, as they were judged, lie clear of what that factor makes
 * of them, by no less than their project wants to be told? */
bool web_claim_otherwise(const web_claim_side *a, const web_claim_side *b, const web_moved *moved);

/* web_claim_is_asked - is any portion of a night in question, or was one cleared? */
bool web_claim_is_asked(const cfg_night *night);

/**
 * web_claim_doubt - why the nights claim less than their values, of which each one's own page says
 * more: "A itself is in question; B was suspected and cleared", "B may differ by the machine",
 * "between them, and not by the monitoring: Everything × 1.08 since 2026-11-27" (moved, NULL:
 * nothing). NULL: neither of them. Owned.
 */
char *web_claim_doubt(const cfg_night *a, const cfg_night *b, const char *moved);
