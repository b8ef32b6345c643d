#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* lgammal_r */
#endif

#include "detector/statistics/dist.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

/* log of |gamma(x)|; as lgammal, which writes a sign where all threads see it. */
static long double log_gamma(long double x) {
    int sign;
    return lgammal_r(x, &sign);
}

/* Continued fraction of I_x(a,b), modified Lentz; converges fast for x < (a+1)/(a+b+2). */
static long double beta_fraction(long double x, long double a, long double b) {
    const long double tiny = 1e-300L;
    long double c = 1, d = 1 - (a + b) * x / (a + 1);
    if (fabsl(d) < tiny)
        d = tiny;
    d = 1 / d;
    long double h = d;
    for (int m = 1; m <= 100000; m++) {
        const long double even = m * (b - m) * x / ((a - 1 + 2 * m) * (a + 2 * m));
        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabsl(d) < tiny ? tiny : d);
        c = fabsl(c) < tiny ? tiny : c;
        h *= d * c;
        const long double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 1 + 2 * m));
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabsl(d) < tiny ? tiny : d);
        c = fabsl(c) < tiny ? tiny : c;
        h *= d * c;
        if (fabsl(d * c - 1) < 4 * LDBL_EPSILON)
            break;
    }
    return h;
}

/* What Stirling's formula leaves out of log gamma(x); nine digits beyond long double's from 64 on.
 */
static long double stirling_rest(long double x) {
    const long double s = 1 / (x * x);
    return (1.0L / 12 - (1.0L / 360 - (1.0L / 1260 - (1.0L / 1680 - s / 1188) * s) * s) * s) / x;
}

/* log gamma(large + small) - log gamma(large), large >= small > 0. The two agree in all but their
   last digits when `large` is large: there the difference is written out. */
static long double log_gamma_step(long double large, long double small) {
    if (large < 64)
        return log_gamma(large + small) - log_gamma(large);
    return (large - 0.5L) * log1pl(small / large) + small * (logl(large + small) - 1) +
           stirling_rest(large + small) - stirling_rest(large);
}

/* log of what is near 1, by what it lacks. */
static long double log_of(long double x, long double lacks) {
    return x > 0.5L ? log1pl(-lacks) : logl(x);
}

/* y is 1-x, given apart because either may be tiny. */
static long double beta_both(long double x, long double y, long double a, long double b) {
    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    const long double large = fmaxl(a, b), small = fminl(a, b);
    const long double front =
        expl(log_gamma_step(large, small) - log_gamma(small) + a * log_of(x, y) + b * log_of(y, x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(y, b, a) / b;
}

double det_beta_cdf(double x, double a, double b) {
    if (!(a > 0) || !(b > 0) || !(x >= 0 && x <= 1))
        return NAN;
    return (double)beta_both(x, 1 - (long double)x, a, b);
}

double det_normal_cdf(double z) {
    return (double)(erfcl(-(long double)z / sqrtl(2)) / 2);
}

/* Acklam's rational start (1e-9), good enough for the Newton steps that follow. */
static long double normal_start(long double p) {
    static const long double a[] = {-39.69683028665376L, 220.9460984245205L,  -275.9285104469687L,
                                    138.3577518672690L,  -30.66479806614716L, 2.506628277459239L};
    static const long double b[] = {-54.47609879822406L, 161.5858368580409L, -155.6989798598866L,
                                    66.80131188771972L, -13.28068155288572L};
    static const long double c[] = {-0.007784894002430293L, -0.3223964580411365L,
                                    -2.400758277161838L,    -2.549732539343734L,
                                    4.374664141464968L,     2.938163982698783L};
    static const long double d[] = {0.007784695709041462L, 0.3224671290700398L, 2.445134137142996L,
                                    3.754408661907416L};
    if (p < 0.02425L) {
        const long double q = sqrtl(-2 * logl(p));
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
               ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    }
    const long double q = p - 0.5L, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

double det_normal_quantile(double p) {
    if (!(p > 0 && p < 1))
        return NAN;
    const int upper = p > 0.5;
    const long double tail = upper ? 1 - (long double)p : (long double)p;
    long double z = normal_start(tail);
    const long double root_two_pi = sqrtl(2 * acosl(-1));
    for (int i = 0; i < 3; i++) {
        const long double density = expl(-z * z / 2) / root_two_pi;
        const long double step = (erfcl(-z / sqrtl(2)) / 2 - tail) / density;
        z -= step / (1 + z * step / 2);
    }
    return (double)(upper ? -z : z);
}

static long double t_two_sided(long double t, long double df) {
    const long double square = t * t;
    return beta_both(df / (df + square), square / (df + square), df / 2, 0.5L);
}

double det_t_two_sided(double t, double df) {
    return df > 0 ? (double)t_two_sided(t, df) : NAN;
}

/* Expansion in 1/df around the normal quantile z (Abramowitz and Stegun 1964, 26.7.5): five digits
   or more from ten degrees of freedom on; below, the normal quantile will do to start with. */
static long double t_start(long double z, long double df) {
    const long double s = z * z;
    if (df < 10 || s > df)
        return z + 0.1L;
    const long double g1 = (s + 1) / 4, g2 = ((5 * s + 16) * s + 3) / 96,
                      g3 = (((3 * s + 19) * s + 17) * s - 15) / 384,
                      g4 = ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160;
    return z * (1 + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df);
}

/* Solves in u = log t, where the tail is nearly a straight line for every df; a bracket keeps
   Newton's steps honest. */
static long double t_critical(long double alpha, long double df) {
    if (alpha >= 1)
        return 0;
    long double low = -60, high = 12000; /* log t: expl still finite in long double */
    if (LDBL_MAX_EXP < 16384)
        high = 700;
    long double u = logl(t_start(fabsl(normal_start(alpha / 2)), df));
    const long double norm = log_gamma((df + 1) / 2) - log_gamma(df / 2) - logl(df * acosl(-1)) / 2;
    for (int i = 0; i < 400; i++) {
        const long double t = expl(u), p = t_two_sided(t, df);
        if (p > alpha)
            low = u;
        else
            high = u;
        const long double density = 2 * expl(norm - (df + 1) / 2 * log1pl(t * t / df)) * t;
        /* Newton on log p as a function of log t. */
        long double next = u + logl(p / alpha) * p / density;
        if (alpha > 0.1L)
            next = u + (p - alpha) / density;
        const int newton = next > low && next < high;
        if (!newton)
            next = (low + high) / 2;
        const long double step = fabsl(next - u) / fmaxl(1, fabsl(u));
        /* Newton squares the error: what follows so small a step is rounding. */
        if (step <= 4 * LDBL_EPSILON || (newton && step < 1e-9L))
            return expl(next);
        u = next;
    }
    return expl(u);
}

/* The usual 95 %, from six degrees of freedom on: a Chebyshev series in 1/df, interpolating the
   above at its 14 nodes, within 3e-15. Every verdict asks for it. */
static double t_critical_95(double df) {
    static const double series[] = {
        4.3822270651309108 / 2, 0.24301755526827978,     0.012312538428378051,
        0.00045611990781713901, 1.184118044860161e-05,   2.5819055483519964e-07,
        5.6594446161641943e-09, -6.5156886133410439e-11, 8.965027009445935e-12,
        9.5526486956269495e-13, -1.8105084334034206e-13, 8.1275667000129439e-15,
        1.5261152336893639e-15, -2.5932760713137659e-16};
    const double u = 12 / df - 1; /* 1/df from 0 to 1/6 */
    double b = 0, before = 0;
    for (size_t k = sizeof series / sizeof *series - 1; k > 0; k--) {
        const double next = 2 * u * b - before + series[k];
        before = b;
        b = next;
    }
    return u * b - before + series[0];
}

double det_t_critical(double alpha, double df) {
    if (df >= 6 && fabs(alpha - 0.05) < 1e-16) /* 1 - 0.95 is not quite 0.05 */
        return t_critical_95(df);
    return df > 0 && alpha > 0 && alpha <= 1 ? (double)t_critical(alpha, df) : NAN;
}

double det_t_quantile(double p, double df) {
    if (!(df > 0) || !(p > 0 && p < 1))
        return NAN;
    if (p == 0.5)
        return 0;
    const long double tail = p < 0.5 ? (long double)p : 1 - (long double)p;
    const long double t = t_critical(2 * tail, df);
    return (double)(p < 0.5 ? -t : t);
}
