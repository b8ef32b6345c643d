#pragma once
/* sql_text - what tests ask of a store in words of their own; the product asks by name
 * (store/sql.h).
 */
#include "server/store/sql.h"

/* A statement for these words, the same each time. types: a letter for each parameter. */
const srv_sql *sql_text(const char *text, const char *types);
/* Likewise with the 64 keys of srv__rows_of, in words with SQL_KEYS. */
const srv_sql *sql_text_of_keys(const char *text);

#define SQL_KEYS                                                                                   \
    "($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,"         \
    "$24,$25,$26,$27,$28,$29,$30,$31,$32,$33,$34,$35,$36,$37,$38,$39,$40,$41,$42,$43,$44,"         \
    "$45,$46,$47,$48,$49,$50,$51,$52,$53,$54,$55,$56,$57,$58,$59,$60,$61,$62,$63,$64)"
