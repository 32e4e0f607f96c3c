/* One EM pass over a table of categories, as fast as this processor can be made to do it.

   For every record: add the rows of log-probabilities that its values name, take the greatest,
   exponentiate, normalise, add to the counts of its values, add up the log-likelihood. All
   components of a record stay in registers. Built by roofline.py, which fixes at compile time:

     K       components, padded to whole vectors     REAL    components that count
     M, L    attributes, values of each              BYTES   of a vector: 32 or 64
     DOUBLE  defined: double precision, otherwise single

   Called with the number of records and of passes; prints the seconds of the best pass and how
   far its first block is from a plain loop with the library's exp and log. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef DOUBLE
typedef double real;
typedef int64_t whole;
#else
typedef float real;
typedef int32_t whole;
#endif

#define LANES (BYTES / (int)sizeof(real))
#define VECTORS (K / LANES)
#define ROWS (M * L)
#define BLOCK 8192

typedef real vector __attribute__((vector_size(BYTES)));
typedef whole integers __attribute__((vector_size(BYTES)));

static inline vector greater(vector a, vector b) {
    integers mask = a > b;
    return (vector)(((integers)a & mask) | ((integers)b & ~mask));
}

/* exp(x) = 2^n exp(r), n whole, for x <= 0: a short series in r, then n into the exponent. */
static inline vector exponential(vector x) {
#ifdef DOUBLE
    const double round = 6755399441055744.0;
    vector d = greater(x, x * 0 - 708.0);
    vector shifted = d * 1.4426950408889634 + round;
    vector n = shifted - round;
    vector r = d - n * 6.93147180369123816490e-01 - n * 1.90821492927058770002e-10;
    vector e = r * (1. / 479001600) + 1. / 39916800;
    e = e * r + 1. / 3628800;
    e = e * r + 1. / 362880;
    e = e * r + 1. / 40320;
    e = e * r + 1. / 5040;
    e = e * r + 1. / 720;
    e = e * r + 1. / 120;
    e = e * r + 1. / 24;
    e = e * r + 1. / 6;
    e = e * r + 0.5;
    e = e * r + 1;
    e = e * r + 1;
    return (vector)((integers)e + ((integers)shifted << 52));
#else
    const float round = 12582912.f;
    vector d = greater(x, x * 0 - 87.f);
    vector shifted = d * 1.44269504f + round;
    vector n = shifted - round;
    vector r = d - n * 0.693359375f + n * 2.12194440e-4f;
    vector e = r * (1.f / 5040) + 1.f / 720;
    e = e * r + 1.f / 120;
    e = e * r + 1.f / 24;
    e = e * r + 1.f / 6;
    e = e * r + 0.5f;
    e = e * r + 1;
    e = e * r + 1;
    return (vector)((integers)e + ((integers)shifted << 23));
#endif
}

static double pass(const uint16_t *restrict codes, const vector *restrict table,
                   vector *restrict counts, int n_records) {
    double log_likelihood = 0;
    for (int a = 0; a < n_records; a++) {
        const uint16_t *code = codes + (size_t)a * M;
        const vector *row = table + (size_t)code[0] * VECTORS;
        vector share[VECTORS];
#pragma GCC unroll 16
        for (int i = 0; i < VECTORS; i++) share[i] = row[i];
        for (int m = 1; m < M; m++) {
            row = table + (size_t)code[m] * VECTORS;
#pragma GCC unroll 16
            for (int i = 0; i < VECTORS; i++) share[i] += row[i];
        }
        vector most = share[0];
#pragma GCC unroll 16
        for (int i = 1; i < VECTORS; i++) most = greater(most, share[i]);
        real top = most[0];
        for (int i = 1; i < LANES; i++) top = most[i] > top ? most[i] : top;
        vector sum = most * 0;
#pragma GCC unroll 16
        for (int i = 0; i < VECTORS; i++) {
            share[i] = exponential(share[i] - top);
            sum += share[i];
        }
        real total = 0;
        for (int i = 0; i < LANES; i++) total += sum[i];
        log_likelihood += top + (real)(sizeof(real) == 4 ? logf(total) : log(total));
        real scale = 1 / total;
#pragma GCC unroll 16
        for (int i = 0; i < VECTORS; i++) share[i] *= scale;
        for (int m = 0; m < M; m++) {
            vector *count = counts + (size_t)code[m] * VECTORS;
#pragma GCC unroll 16
            for (int i = 0; i < VECTORS; i++) count[i] += share[i];
        }
    }
    return log_likelihood;
}

static double plain(const uint16_t *codes, const real *table, int n_records) {
    double log_likelihood = 0;
    for (int a = 0; a < n_records; a++) {
        double total = 0;
        for (int i = 0; i < REAL; i++) {
            double joint = 0;
            for (int m = 0; m < M; m++) joint += table[codes[a * M + m] * K + i];
            total += exp(joint);
        }
        log_likelihood += log(total);
    }
    return log_likelihood;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
    int n_records = argc > 1 ? atoi(argv[1]) : 100000, n_passes = argc > 2 ? atoi(argv[2]) : 3;
    size_t bytes = ROWS * K * sizeof(real);
    uint16_t *codes = malloc((size_t)n_records * M * sizeof *codes);
    real *table = aligned_alloc(64, bytes), *counts = aligned_alloc(64, bytes);
    double *sums = malloc(ROWS * K * sizeof *sums), best = INFINITY, log_likelihood = 0;
    if (!codes || !table || !counts || !sums) return 1;
    for (size_t i = 0; i < (size_t)n_records * M; i++) codes[i] = (i % M) * L + rand() % L;
    for (int i = 0; i < ROWS * K; i++)
        table[i] = i % K < REAL ? log((rand() % 1000 + 1) / 10000.0) : -1e4;
    for (int repeat = 0; repeat < n_passes; repeat++) {
        double begun = now();
        memset(sums, 0, ROWS * K * sizeof *sums);
        log_likelihood = 0;
        for (int b = 0; b < n_records; b += BLOCK) {
            int n = n_records - b < BLOCK ? n_records - b : BLOCK;
            memset(counts, 0, bytes);
            log_likelihood += pass(codes + (size_t)b * M, (vector *)table, (vector *)counts, n);
            for (int i = 0; i < ROWS * K; i++) sums[i] += counts[i];
        }
        double seconds = now() - begun;
        if (seconds < best) best = seconds;
    }
    int n = n_records < BLOCK ? n_records : BLOCK;
    double said = pass(codes, (vector *)table, (vector *)counts, n), is = plain(codes, table, n);
    /* What was summed is printed, so that no pass can be left out. */
    printf("%.9g %.3g %.17g %.17g\n", best, fabs(said - is) / fabs(is), log_likelihood, sums[0]);
    return 0;
}
