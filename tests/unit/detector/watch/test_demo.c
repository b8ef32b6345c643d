/* Nights of Kieker's releases as demonstrations measured them on busy machines. */
#include "nights.h"
#include "tests/unit/detector/chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Nine nights of the demo, whose eighth is Kieker 1.15.4: I cheaper, C and W dearer. */
typedef double demo[9][PORTIONS * LOOPS];

static void judge_trimmed(const demo means, det_trim trim, det_verdict out[9][PORTIONS]) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.effect_relative = 0.15;
    policy.trim = trim;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (int n = 0; n < 9; n++) {
        const det_night night = {.id = n + 1, .loops = LOOPS, .means = means[n]};
        assert_int_equal(det_watch_add(watch, &night, out[n]), DET_OK);
    }
    det_watch_free(watch);
}

static void judge_demo(const demo means, det_verdict out[9][PORTIONS]) {
    judge_trimmed(means, DET_TRIM_ENDS, out);
}

/* nights: those that tell a change of the portion, "2 8" */
static void assert_told(det_verdict v[9][PORTIONS], size_t portion, const char *nights) {
    char told[32] = "";
    for (int n = 1; n <= 9; n++)
        if (v[n - 1][portion].verdict == DET_VERDICT_ANOMALY)
            snprintf(told + strlen(told), sizeof told - strlen(told), "%s%d", *told ? " " : "", n);
    assert_string_equal(told, nights);
}

/* On a busy machine, three to five loops, one of which may be slow: it hides no change. With the
 * mean of such nights C was told a night later. */
static void a_slow_loop_of_four_hides_nothing(void **state) {
    (void)state;
    static const demo means = {
        {75,   74,   73,   72,   NAN, 1059,  1109,  1015,  1042, NAN,
         2314, 2417, 2823, 2255, NAN, 16468, 20260, 19074, NAN,  NAN},
        {72,   74,   70,   73,   NAN, 422,   414,   393,   405,   NAN,
         1464, 1481, 1718, 1444, NAN, 14765, 27865, 16138, 15228, NAN},
        {73,   74,   73,   76,   NAN, 421,   421,   420,   447,   NAN,
         1507, 1544, 1589, 1523, NAN, 18903, 20474, 18537, 15303, NAN},
        {70,   72,   72,   69,   NAN, 406,   405,   389,   403,   390,
         1519, 1545, 1476, 1450, NAN, 15563, 29318, 15847, 14559, NAN},
        {66,   66,   73,   72,   NAN, 398,   392,   419,   403,   NAN,
         1414, 1404, 1445, 1502, NAN, 13892, 14168, 14511, 14428, NAN},
        {73,   89,   74,   NAN, NAN, 410,   424,   425,   NAN,   NAN,
         1668, 1520, 1497, NAN, NAN, 23788, 15907, 14545, 13969, NAN},
        {73,   73,   73,   73,   NAN, 405,   404,   406,   412,   NAN,
         1466, 1449, 1424, 1390, NAN, 14887, 26838, 16312, 24448, NAN},
        {73,   72,   71,   70,   NAN, 257,   265,   267,   275,   NAN,
         1812, 1861, 1869, 1831, NAN, 26257, 29831, 23655, 25068, NAN},
        {73,   74,   71,   69,   NAN, 268,   274,   274,   259,   NAN,
         1909, 1973, 1964, 1828, NAN, 25559, 26642, 25348, 26055, NAN},
    };
    det_verdict v[9][PORTIONS];
    judge_demo(means, v);
    assert_told(v, I, "2 8");
    assert_told(v, C, "8");
    assert_in_range(v[7][C].difference.mean, 450, 600);
}

/* C is told a night late, and that night also has what W's first night lacked: both are dated to
 * the night before. What C's dating began anew was W's evidence, too, and W was not told. */
static void what_stays_in_question_keeps_its_nights(void **state) {
    (void)state;
    static const demo means = {
        {73,   102,  73,   74,   74,   1011,  1068,  1049,  1063,  1066,
         2365, 2384, 4017, 2324, 2335, 18603, 13872, 15695, 20426, 17956},
        {71,   78,   73,   73,   73,   421,   415,   442,   399,   453,
         1515, 1494, 1499, 1538, 1581, 15159, 15635, 16663, 15397, 28619},
        {84,   73,   73,   73,   74,   397,   400,   404,   405,   394,
         1512, 1514, 1514, 1487, 1623, 14592, 16562, 28097, 16364, 15159},
        {75,   73,   74,   73,   73,   413,   419,   414,   410,   404,
         1527, 1516, 1489, 1510, 1504, 15850, 18573, 15617, 16197, 18890},
        {74,   75,   73,   75,   75,   420,   460,   408,   415,   NAN,
         1661, 1684, 1511, 1545, 2084, 15365, 14193, 16814, 28295, NAN},
        {75,   74,   74,   83,   NAN, 408,   415,   410,   444,   NAN,
         1663, 1673, 1508, 1699, NAN, 20793, 18916, 14912, 17823, 16563},
        {73,   73,   87,   73,   74,   416,   411,   440,   431,   423,
         1490, 1583, 1570, 1489, 1486, 20191, 16879, 17311, 21435, 17371},
        {72,   73,   73,   91,   75,   283,   295,   293,   272,   271,
         1860, 1933, 1900, 1907, 2014, 28324, 26436, 25946, 25873, 23298},
        {98,   73,   73,   76,   78,   274,   268,   279,   294,   NAN,
         2011, 2020, 1987, 2002, 1969, 24165, 27705, 26923, 34521, NAN},
    };
    det_verdict v[9][PORTIONS];
    judge_demo(means, v);
    assert_told(v, I, "2 8");
    assert_told(v, C, "9");
    assert_told(v, W, "9");
    assert_int_equal(v[8][C].from, 7);
    assert_int_equal(v[8][C].to, 8);
    assert_int_equal(v[8][C].rule, DET_RULE_WINDOW);
    assert_int_equal(v[8][W].from, 7);
    assert_int_equal(v[8][W].to, 8);
}

/* W rose with Kieker 1.15.4, and one loop of the next night was slow: that night told it, twice as
 * large as it is, and of 2.0.2. It is not clear of the level of the night before. */
static void a_louder_night_after_it_is_no_other_change(void **state) {
    (void)state;
    static const demo means = {
        {99,   73,   96,   75,   82,  1076,  1406,  1028,  1207,  NAN,
         2481, 3115, 2359, 2422, NAN, 14504, 16068, 24800, 18022, NAN},
        {73,   101,  74,   73,   73,  421,   414,   428,   415,   414,
         1506, 1503, 1503, 1516, NAN, 14357, 16903, 15025, 18554, 16959},
        {74,   75,   75,   74,   NAN, 415,   426,   419,   427,   NAN,
         1512, 1535, 1537, 1659, NAN, 16200, 17185, 16708, 15895, 13927},
        {74,   73,   70,   73,   NAN,  424,   421,   425,   418,   431,
         1573, 1513, 1522, 1511, 1553, 17463, 15799, 14147, 18614, NAN},
        {78,   73,   73,   73,   79,   421,   461,   426,   425,   NAN,
         1575, 1587, 1514, 1616, 1516, 15197, 17001, 17446, 17587, NAN},
        {73,   74,   100,  NAN,  NAN, 420,   497,   421,   NAN, NAN,
         1686, 1531, 1570, 1593, NAN, 18971, 16262, 25642, NAN, NAN},
        {74,   73,   73,   73,  NAN, 424,   464,   418,   419,   NAN,
         1509, 1495, 1476, NAN, NAN, 21292, 15911, 19083, 17064, NAN},
        {73,   72,   73,   74,   NAN,  288,   278,   261,   275,   272,
         1910, 1913, 2047, 1948, 1953, 25216, 24488, 23529, 23758, 24557},
        {74,   73,   76,   NAN,  NAN, 279,   280,   284,   NAN,   NAN,
         1948, 1996, 2122, 1974, NAN, 38103, 32436, 26764, 28940, NAN},
    };
    det_verdict v[9][PORTIONS];
    judge_demo(means, v);
    assert_told(v, W, "9");
    assert_int_equal(v[8][W].from, 7);
    assert_int_equal(v[8][W].to, 8);
    assert_in_range(v[8][W].difference.mean, 6000, 9000);
}

/* Two slow processes of T beside them: a factor above 1 predicts best what T, C and W did, and I,
 * which fell by 44 %, was taken for the machine's. */
static void what_fell_did_not_rise_by_a_common_factor(void **state) {
    (void)state;
    static const demo means = {
        {75,   73,   73,   74,   73,   1021,  1021,  988,   1052,  1057,
         2365, 2273, 2284, 2342, 2700, 20563, 16642, 15453, 16130, 15310},
        {73,   72,   78,   73,   71,   406,   409,   387,   412,   394,
         1498, 1528, 1481, 1494, 1494, 15528, 21729, 14251, 15738, 18022},
        {76,   74,   73,   73,   72,   426,   417,   422,   412,   424,
         1535, 1546, 1526, 1518, 1506, 16186, 15118, 14724, 17671, 14154},
        {74,   74,   74,   73,   73,   415,   411,   393,   413,   426,
         1530, 1513, 1513, 1518, 1514, 26444, 16147, 18223, 18214, 19166},
        {75,   74,   74,   73,   73,   415,   417,   420,   406,   NAN,
         1579, 1511, 1512, 1504, 1518, 15694, 16145, 23362, 15764, NAN},
        {73,   72,   74,   72,   74,  398,   414,   406,   415,   437,
         1463, 1541, 1544, 1513, NAN, 18447, 13909, 22242, 25988, 15706},
        {72,   74,   76,   73,   73,   402,   407,   409,   411,   423,
         1445, 1464, 1451, 1474, 1490, 16881, 14029, 14989, 16753, 16155},
        {73,   91,   94,   72,   NAN,  268,   267,   285,   275,   273,
         1909, 1909, 1978, 1918, 1935, 25489, 30765, 25587, 26180, 30482},
        {75,   73,   73,   73,   71,   279,   279,   273,   272,   289,
         2007, 1934, 1977, 1942, 1948, 25978, 22319, 23967, 22361, 27989},
    };
    det_verdict v[9][PORTIONS];
    judge_demo(means, v);
    assert_told(v, I, "2 8");
    assert_told(v, C, "8");
    for (int n = 0; n < 9; n++)
        assert_int_not_equal(v[n][T].verdict, DET_VERDICT_ENVIRONMENT);
}

/* On a host where others slow many of the loops, each by half as much again: W fell, and rose, and
 * all but a tenth of the loops did not show it. */
static void the_fastest_loops_show_what_slow_ones_hide(void **state) {
    (void)state;
    static const demo means = {
        {73,   73,   73,   NAN,  NAN, 774,   789,   781,   792, 969,
         1830, 1892, 1886, 1861, NAN, 22037, 23365, 21242, NAN, NAN},
        {73,   74,   73,   73,   NAN, 239,   247,   239,   248,   NAN,
         1234, 1219, 1229, 1201, NAN, 20974, 20994, 20544, 20957, NAN},
        {73,   76,   79,   NAN,  NAN, 245,   266,   246,   NAN,   NAN,
         1245, 1285, 1266, 1272, NAN, 37098, 21269, 22673, 25509, NAN},
        {80,   74,   83,   73,   NAN,  307,   240,   252,   365,   333,
         1575, 1233, 1998, 1394, 1590, 23090, 21711, 24581, 24452, NAN},
        {83,   91,   78,   83,  NAN, 280,   349,   243,   251, NAN,
         1561, 1465, 1310, NAN, NAN, 41315, 32043, 20481, NAN, NAN},
        {74,   74,   74,   NAN, NAN, 283,   256,   252,   NAN,   NAN,
         1681, 1266, 1259, NAN, NAN, 28048, 36368, 22774, 20783, NAN},
        {73,   74,   81,   81,  78,  256,   298,   289,   247,   NAN,
         1219, 1231, 1228, NAN, NAN, 13264, 14917, 12565, 17773, NAN},
        {77,   73,   73,   73,   NAN,  154,   154,   152,   194,   NAN,
         1730, 1298, 1341, 1434, 1363, 28637, 29545, 34896, 28251, 28122},
        {74,   74,   75,   75,   NAN, 153,   157,   155,   173, NAN,
         1381, 1386, 1268, 1576, NAN, 29436, 34395, 27326, NAN, NAN},
    };
    det_verdict v[9][PORTIONS];
    judge_demo(means, v);
    assert_told(v, I, "2 8");
    assert_told(v, W, "");
    judge_trimmed(means, DET_TRIM_SLOW, v);
    assert_told(v, I, "2 8");
    assert_told(v, C, "");
    assert_told(v, W, "7 9");
    assert_true(v[6][W].direction < 0 && v[8][W].direction > 0 && v[8][W].to == 8);
    assert_non_null(strstr(v[8][W].reason, ", judged by the fastest loops"));
    assert_non_null(strstr(v[8][T].reason, "): within the noise, judged by the fastest loops"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_loop_of_four_hides_nothing),
        cmocka_unit_test(what_stays_in_question_keeps_its_nights),
        cmocka_unit_test(a_louder_night_after_it_is_no_other_change),
        cmocka_unit_test(what_fell_did_not_rise_by_a_common_factor),
        cmocka_unit_test(the_fastest_loops_show_what_slow_ones_hide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
