// Quantiles of Student's t distribution, as detector/statistics/dist.c has them.

const STEPS = 300, EPSILON = 1e-16, TINY = 1e-300;
const LANCZOS = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];

/** ln Γ(x) for x > 0.5 (Lanczos). */
function logGamma(x) {
  const sum = LANCZOS.reduce((all, c, i) => i ? all + c / (x - 1 + i) : c, 0), t = x + 6.5;
  return Math.log(2 * Math.PI) / 2 + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** The continued fraction of the incomplete beta function (Lentz). */
function fraction(x, a, b) {
  let c = 1, d = 1 / (1 - (a + b) * x / (a + 1) || TINY), h = d;
  for (let m = 1; m <= STEPS; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    for (const term of [even, odd]) {
      d = 1 / (1 + term * d || TINY);
      c = 1 + term / c || TINY;
      h *= c * d;
    }
    if (Math.abs(c * d - 1) < EPSILON) break;
  }
  return h;
}

/** The regularized incomplete beta function I_x(a, b). */
function beta(x, a, b) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b;
}

/** P(|t| > x) of v degrees of freedom. */
const beyond = (x, v) => beta(v / (v + x * x), v / 2, 0.5);

/** The t that (1 - level) / 2 lie above, of v > 0 degrees of freedom; 0 < level < 1. By halving: monotone. */
export function studentHalf(level, v) {
  let low = 0, high = 1;
  while (beyond(high, v) > 1 - level && high < 1e15) high *= 2;
  for (let i = 0; i < 200 && low < high; i++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (beyond(middle, v) > 1 - level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
