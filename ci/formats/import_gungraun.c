/* Gungraun (iai-callgrind): counted instructions, not time. An instruction is read as 1 ns. */
#include "ci/formats/night.h"
#include "ci/formats/values.h"
#include "config/gungraun.h"

#include <math.h>

bool ci__import_gungraun(json_t *root, json_t *nights) {
    json_t *one = json_is_object(root) ? json_pack("[O]", root) : json_incref(root);
    const bool known = cfg_gungraun_is(json_array_get(one, 0));
    json_t *night = known ? ci_night_new("gungraun", NULL, -1) : NULL;
    size_t i;
    json_t *summary;
    if (known)
        json_array_foreach (one, i, summary) {
            g_autofree char *name = cfg_gungraun_name(summary);
            ci_night_value(night, name, cfg_gungraun_instructions(summary), (double)NAN,
                           (double)NAN, NULL, 0);
        }
    json_decref(one);
    if (known)
        json_array_append_new(nights, night);
    return known;
}
