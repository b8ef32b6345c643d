#include "tests/bench/detector/options.h"

#include <stdlib.h>
#include <string.h>

int options_parse(int argc, char **argv, options *o) {
    *o = (options){.seed = 20270101, .rivals = 1};
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--quick") == 0)
            o->quick = 1;
        else if (strcmp(argv[i], "--dimensions") == 0)
            o->dimensions = 1;
        else if (strcmp(argv[i], "--seed") == 0 && next)
            o->seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--histories") == 0 && next)
            o->histories = atoi(argv[++i]);
        else if (strcmp(argv[i], "--markdown") == 0 && next)
            o->markdown = argv[++i];
        else if (strcmp(argv[i], "--figures") == 0 && next)
            o->figures = argv[++i];
        else if (strcmp(argv[i], "--data") == 0 && next)
            o->data = argv[++i];
        else if (strcmp(argv[i], "--truth") == 0 && next)
            o->truth = argv[++i];
        else if (strcmp(argv[i], "--real") == 0 && next)
            o->real = argv[++i];
        else if (strcmp(argv[i], "--otava") == 0 && i + 2 < argc) {
            o->otava.python = argv[++i];
            o->otava.script = argv[++i];
        } else
            return -1;
    }
    if (!o->histories)
        o->histories = o->quick ? 60 : 500;
    return o->data && !o->truth ? -1 : 0;
}
