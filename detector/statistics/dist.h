#pragma once
/*
 * dist - distribution functions and quantiles: normal, Student's t, regularized incomplete beta.
 *
 * Error bound: 1e-13 relative for probabilities and quantiles, tails included, where long double
 * has at least 64 bits of mantissa; 1e-12 with more than 10^6 degrees of freedom. NaN in, or an
 * argument out of range: NaN out.
 */

/** det_beta_cdf - I_x(a, b); a, b > 0, 0 <= x <= 1. Continued fraction, Lentz' method. */
double det_beta_cdf(double x, double a, double b);

/** det_normal_cdf - P(Z <= z). det_normal_quantile - its inverse, 0 < p < 1 (Wichura 1988,
 * refined). */
double det_normal_cdf(double z);
double det_normal_quantile(double p);

/** det_t_two_sided - P(|T| >= |t|) with df > 0 degrees of freedom, not necessarily whole; without
 * cancellation in the tail. */
double det_t_two_sided(double t, double df);

/** det_t_quantile - t with P(T <= t) = p; 0 < p < 1. */
double det_t_quantile(double p, double df);

/** det_t_critical - t with P(|T| >= t) = alpha; 0 < alpha <= 1; exact for tiny alpha. */
double det_t_critical(double alpha, double df);
