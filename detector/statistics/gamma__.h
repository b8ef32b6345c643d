#pragma once

/** det__log_gamma - log of |gamma(x)|; as lgammal, which writes a sign where all threads see it. */
long double det__log_gamma(long double x);
