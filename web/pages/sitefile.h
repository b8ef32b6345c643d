#pragma once
/*
 * sitefile - the pages' files for a site without a server: addresses relative to where they stand,
 * so that the site may lie in any folder; a module that a site has otherwise in place of the
 * server's.
 */
#include <glib.h>

/**
 * web_sitefile - a page ("project.html"), a module, a style sheet or an image by its name.
 * depth  folders between the site's root and the file: of "projects/x/index.html" 2
 * Returns owned bytes; NULL: there is none of that name.
 */
GBytes *web_sitefile(const char *name, unsigned depth);

/** web_sitefile_names - all names, sorted; free with g_strfreev. */
char **web_sitefile_names(void);

/**
 * web_sitefile_relative - HTML with the addresses of its attributes relative: "/x" becomes
 * "../x" of depth 1. Folders that are pages get their slash. Free with g_free.
 */
char *web_sitefile_relative(const char *html, unsigned depth);
