#include "tests/bench/detector/plot.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 640
#define HEIGHT 380
#define LEFT 70
#define RIGHT 180
#define TOP 40
#define BOTTOM 55
#define TICKS 5

/* Okabe and Ito's palette, told apart by colour-blind readers too. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#7f7f7f"};

static double place_x(const plot *p, double x) {
    const double low = p->x_log ? log10(p->x_low) : p->x_low;
    const double high = p->x_log ? log10(p->x_high) : p->x_high;
    const double at = p->x_log ? log10(fmax(x, p->x_low)) : x;
    return LEFT + (WIDTH - LEFT - RIGHT) * (at - low) / (high - low);
}

static double place_y(const plot *p, double y) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - p->y_low) / (p->y_high - p->y_low);
}

static void axes(const plot *p, FILE *f) {
    (void)fprintf(f,
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
                  "stroke=\"#888\"/>\n",
                  LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    for (int i = 0; i <= TICKS; i++) {
        const double part = (double)i / TICKS;
        const double y = p->y_low + part * (p->y_high - p->y_low);
        const double x = p->x_log ? p->x_low * pow(p->x_high / p->x_low, part)
                                  : p->x_low + part * (p->x_high - p->x_low);
        (void)fprintf(f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n", LEFT - 6,
                      place_y(p, y) + 4, y);
        (void)fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.2g</text>\n",
                      place_x(p, x), HEIGHT - BOTTOM + 18, x);
    }
    (void)fprintf(f, "<text x=\"%d\" y=\"22\" font-size=\"15\">%s</text>\n", LEFT, p->title);
    (void)fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                  (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, p->x_label);
    (void)fprintf(f,
                  "<text transform=\"translate(18 %d) rotate(-90)\" "
                  "text-anchor=\"middle\">%s</text>\n",
                  (TOP + HEIGHT - BOTTOM) / 2, p->y_label);
}

static void line(const plot *p, size_t i, FILE *f) {
    const plot_line *l = &p->lines[i];
    if (!l->points) {
        (void)fprintf(f, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"",
                      colours[i]);
        for (size_t k = 0; k < l->count; k++)
            (void)fprintf(f, "%.1f,%.1f ", place_x(p, l->x[k]), place_y(p, l->y[k]));
        (void)fprintf(f, "\"/>\n");
    }
    for (size_t k = 0; k < l->count; k++)
        (void)fprintf(f, "<circle r=\"%d\" cx=\"%.1f\" cy=\"%.1f\" fill=\"%s\"/>\n",
                      l->points ? 5 : 3, place_x(p, l->x[k]), place_y(p, l->y[k]), colours[i]);
    const int y = TOP + 14 + 20 * (int)i;
    (void)fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>\n",
                  WIDTH - RIGHT + 12, y - 10, colours[i]);
    (void)fprintf(f, "<text x=\"%d\" y=\"%d\">%s</text>\n", WIDTH - RIGHT + 30, y, l->name);
}

int plot_write(const plot *p, const char *path) {
    FILE *f = fopen(path, "w");
    if (!f)
        return -1;
    (void)fprintf(f,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                  "font-family=\"sans-serif\" font-size=\"12\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                  WIDTH, HEIGHT);
    axes(p, f);
    for (size_t i = 0; i < p->count && i < sizeof colours / sizeof *colours; i++)
        line(p, i, f);
    (void)fprintf(f, "</svg>\n");
    return fclose(f) == 0 ? 0 : -1;
}
