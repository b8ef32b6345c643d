#pragma once
/*
 * grow - a store with a long history, without taking in every night of it one by one.
 *
 * The first nights of all projects come in as a server takes them, a night of each in turn. Then
 * their rows are copied, with other keys and dates, until there are as many as wanted: so what
 * belongs to one project lies as far apart as it does where twenty projects are measured every
 * night. Alerts are copied, too. The detector's states are put where it leaves them.
 */
#include "tests/bench/lib/made_nights.h"

#define GROW_TEMPLATE 50 /* nights of each project that are copied */

typedef struct {
    const char *url;
    made made;
    const char *const *projects;
    int count, nights; /* of projects; of each one's nights so far, all without gaps */
} grown;

/** grow_begin - the nights that are copied from. */
void grow_begin(grown *g);

/** grow_to - at least so many nights of each project. The store is closed and opened again. */
void grow_to(grown *g, int nights);
