// The plain yardsticks of bench/best.py: one sweep of value iteration, and sessions of one unit on pass.
#include <stdint.h>
#include <string.h>

void sweep(double *values, int64_t *chosen, const int64_t *first, const int64_t *stakes, const int64_t *out,
           const double *weight, const int64_t *gain, const int64_t *group, const int64_t *onward_first,
           const int64_t *onward, const int64_t *limit, int64_t groups, int64_t width) {
  for (int64_t g = groups - 1; g >= 0; g--)
    for (int64_t w = 1; w < limit[g]; w++) {
      double best = values[g * width + w];
      int64_t taken = -1;
      for (int64_t r = first[g]; r < first[g + 1] && stakes[r] <= w; r++) {
        double total = 0;
        for (int64_t e = out[r]; e < out[r + 1]; e++) {
          int64_t after = w + gain[e];
          after = after < 0 ? 0 : after >= width ? width - 1 : after;
          total += weight[e] * values[group[e] * width + after];
        }
        if (total > best + 1e-15) best = total, taken = r;
      }
      for (int64_t p = onward_first[g]; p < onward_first[g + 1]; p++)
        if (values[onward[p] * width + w] > best && chosen[onward[p] * width + w] >= 0)
          best = values[onward[p] * width + w], taken = chosen[onward[p] * width + w];
      if (taken >= 0) values[g * width + w] = best, chosen[g * width + w] = taken;
    }
}

static uint64_t state[4];
static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static inline uint64_t next(void) { // xoshiro256**, which shares nothing with Philox
  uint64_t result = rotl(state[1] * 5, 7) * 9, t = state[1] << 17;
  state[2] ^= state[0]; state[3] ^= state[1]; state[1] ^= state[2]; state[0] ^= state[3];
  state[2] ^= t; state[3] = rotl(state[3], 45);
  return result;
}

void sessions(int64_t count, uint64_t seed, int64_t rolls, int64_t bankroll, int64_t goal, int64_t tallies[4][128],
              int64_t ends[2][128]) {
  for (int i = 0; i < 4; i++) { // splitmix64
    uint64_t z = (seed += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull; z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    state[i] = z ^ (z >> 31);
  }
  for (int64_t s = 0; s < count; s++) {
    int net = 0, point = 0, peak = 0, fall = 0, losing = 0, longest = 0, behind = 0, at = 0;
    for (; at < rolls; at++) {
      if (bankroll + net < 1) { ends[0][at]++; break; }
      uint32_t throw = (uint32_t)(((next() >> 32) * 36) >> 32);
      int total = throw / 6 + throw % 6 + 2, won;
      if (!point) {
        won = (total == 7 || total == 11) - (total == 2 || total == 3 || total == 12);
        point = won ? 0 : total;
      } else {
        won = (total == point) - (total == 7);
        if (won) point = 0;
      }
      net += won;
      if (won < 0) { if (++losing > longest) longest = losing; } else if (won > 0) losing = 0;
      if (net > peak) peak = net;
      if (peak - net > fall) fall = peak - net;
      behind += net < 0;
      if (net >= goal) { ends[1][at + 1]++; break; }
    }
    tallies[0][peak]++; tallies[1][fall]++; tallies[2][longest]++; tallies[3][behind]++;
  }
}
