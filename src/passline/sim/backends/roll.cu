/* The kernel that rolls on a GPU: one thread a session, everything added up on the device.

What differs from game to game is defined before it is compiled: K rolls go into a look-up; NARROW tables have
32-bit entries (free games only), others the 64-bit words of pack.py; SHARED and OUT_SHARED say which tables lie
in shared memory; RULED, WINS and RUN_OUT what may happen to a session; ROWS that each session is written down;
LOADED that the dice are not fair: then a half of a block deals one roll instead of six, by the alias table of dice.py.

Narrow entries are net | action | hands | row, where row is the next row itself and not a difference, and the
fields between have room for six rolls. So entries are added up whole for half a block; then sums of that, shifted by
three different amounts, hold net, action and hands together. Taking one from the other tells them apart, and what wraps
around in 32 bits wraps back. */

typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32;
typedef unsigned long long u64; typedef long long i64;
#if NARROW
typedef u32 entry;
#else
typedef u64 entry;
#endif
#if K == 3
#define BASE 46656u
#elif K == 2
#define BASE 1296u
#else
#define BASE 36u
#endif
#if LOADED
#define PER_HALF 1u
#else
#define PER_HALF 6u
#endif
#define PER_BLOCK (2u * PER_HALF)
#define ROWS_OF(bits) ((((u64)1) << (bits)) - 1)
enum { ROLLS, RUIN, STOP_WIN, STOP_LOSS, HANDS, WHEN, ENDINGS };

struct dice { u32 x0, x1, x2, x3; };

/* Philox 4x32-10, as passline.sim.dice has it */
__device__ __forceinline__ dice deal(u32 block, u64 table, u64 seed) {
  dice d = { block, 0u, (u32)table, (u32)(table >> 32) };
  u32 k0 = (u32)seed, k1 = (u32)(seed >> 32);
  #pragma unroll
  for (int i = 0; i < 10; i++) {
    u32 h0 = __umulhi(0xD2511F53u, d.x0), l0 = 0xD2511F53u * d.x0;
    u32 h1 = __umulhi(0xCD9E8D57u, d.x2), l1 = 0xCD9E8D57u * d.x2;
    d.x0 = h1 ^ d.x1 ^ k0; d.x1 = l1; d.x2 = h0 ^ d.x3 ^ k1; d.x3 = l0;
    k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
  }
  return d;
}

/* One digit of a base off the fraction hi:lo of 2^64 */
__device__ __forceinline__ u32 digit(u32 &lo, u32 &hi, u32 base) {
  u64 carry = __umulhi(lo, base), product;
#ifdef __CUDACC__  /* said outright, for the compiler makes a 64-bit multiplication of it */
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(product) : "r"(hi), "r"(base), "l"(carry));
#else
  product = (u64)hi * base + carry;
#endif
  lo *= base; hi = (u32)product;
  return (u32)(product >> 32);
}

#if LOADED
/* The throw that a fraction names: its box's own, or from the cut on another's */
#define THROWN(lo, hi) thrown(lo, hi, cut, other)
__device__ __forceinline__ u32 thrown(u32 &lo, u32 &hi, const u64 *cut, const u64 *other) {
  u32 box = digit(lo, hi, 36u);
  return ((u64)hi << 32 | lo) < cut[box] ? box : (u32)other[box];
}
#else
#define THROWN(lo, hi) digit(lo, hi, 36u)
#endif
#if K == 1
#define DEALT(lo, hi) THROWN(lo, hi)
#else
#define DEALT(lo, hi) digit(lo, hi, BASE)
#endif

/* A session in play */
struct session {
#if NARROW
  u32 row, half, s1, s2, s3;
#else
  u64 word;
#endif
};

__device__ __forceinline__ void look(session &s, const entry *T, u32 place) {
#if NARROW
  u32 e = T[s.row + place];
  s.half += (u32)((int)e >> ROW_BITS);
  s.row = e & (u32)ROWS_OF(ROW_BITS);
#else
  s.word += T[(u32)(s.word & ROWS_OF(ROW_BITS)) + place];
#endif
}

/* After six rolls at most */
__device__ __forceinline__ void empty(session &s) {
#if NARROW
  s.s1 += (u32)((int)s.half >> (HAND_BITS + ACTION_BITS));
  s.s2 += (u32)((int)s.half >> HAND_BITS);
  s.s3 += s.half;
  s.half = 0;
#endif
}

#if RULED
/* The top bit says that a rule ends the session on the rolls of this entry */
__device__ __forceinline__ u64 watched(session &s, const entry *T, u32 place) {
  u32 at = (u32)(s.word & ROWS_OF(ROW_BITS)) + place;
  u64 flag = s.word - T[at + SIZE];
#if WINS
  flag |= T[at + 2 * SIZE] - 1 - s.word;
#endif
  s.word += T[at];
  return flag;
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) roll(
    const entry *table, u32 words, const u16 *column, const u16 *single,
    const u64 *out_table, u32 out_words, const u16 *out_single, const u64 *enter, const i64 *back, const u8 *over,
    const u64 *cut, const u64 *other,
    u64 seed, u64 first, u64 count, u64 rolls, u64 start, i64 win, i64 loss, u64 hand_limit,
    i64 least, u64 step, u64 window_first, u32 window, u64 *nets, u64 *ruins, u64 *sums,
    i64 *r_net, i64 *r_rolls, i64 *r_hands, u8 *r_ending, i64 *r_action, i64 *r_run_out) {
  extern __shared__ u64 shared[];
  u8 *room = (u8 *)shared;
#if OUT_SHARED
  u64 *O = (u64 *)room; room += 8 * (u64)out_words;
  for (u32 i = threadIdx.x; i < out_words; i += blockDim.x) O[i] = out_table[i];
#else
  const u64 *O = out_table;
#endif
#if SHARED
  entry *T = (entry *)room; room += sizeof(entry) * (u64)words;
  for (u32 i = threadIdx.x; i < words; i += blockDim.x) T[i] = table[i];
#else
  const entry *T = table;
#endif
  u32 *H = (u32 *)room; room += 4 * (u64)window;
  for (u32 i = threadIdx.x; i < window; i += blockDim.x) H[i] = 0;
  u16 *M = (u16 *)room, *M1 = M + (BASE + (BASE & 1)), *MO = M1 + 36;
  for (u32 i = threadIdx.x; i < BASE; i += blockDim.x) M[i] = column[i];
  for (u32 i = threadIdx.x; i < 36; i += blockDim.x) M1[i] = single[i];
#if RUN_OUT
  for (u32 i = threadIdx.x; i < 36; i += blockDim.x) MO[i] = out_single[i];
#endif
  __syncthreads();

  u64 sum_rolls = 0, sum_hands = 0, sum_action = 0, sum_out_action = 0, sum_run_out = 0;
  u32 endings[ENDINGS] = {0, 0, 0, 0, 0, 0};
  const u64 stride = (u64)gridDim.x * blockDim.x;
  u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
#if RULED
  session s; s.word = start; u64 left = rolls; u32 block = 0;
  while (i < count) {
    dice d = deal(block, first + i, seed);
    session before = s; u64 flag = 0;
    #pragma unroll
    for (int h = 0; h < 2; h++) {
      u32 lo = h ? d.x2 : d.x0, hi = h ? d.x3 : d.x1;
      #pragma unroll
      for (u32 j = 0; j < PER_HALF / K; j++) flag |= watched(s, T, M[DEALT(lo, hi)]);
    }
    flag |= hand_limit - 1 - ((s.word >> ROW_BITS) & ROWS_OF(HAND_BITS));
    bool ended;
    if ((i64)flag >= 0 && left >= PER_BLOCK) {
      left -= PER_BLOCK; block++; ended = left == 0;
    } else {
      s = before; ended = false;
      for (int h = 0; h < 2 && !ended; h++) {
        u32 lo = h ? d.x2 : d.x0, hi = h ? d.x3 : d.x1;
        for (u32 j = 0; j < PER_HALF && !ended; j++) {
          flag = watched(s, T, M1[THROWN(lo, hi)]);
          left--;
          ended = (i64)flag < 0 || ((s.word >> ROW_BITS) & ROWS_OF(HAND_BITS)) >= hand_limit || left == 0;
        }
      }
      block++;
    }
    if (!ended) continue;
    i64 net = (i64)s.word >> (ROW_BITS + HAND_BITS + ACTION_BITS);
    u64 hands = (s.word >> ROW_BITS) & ROWS_OF(HAND_BITS);
    u64 action = (s.word >> (ROW_BITS + HAND_BITS)) & ROWS_OF(ACTION_BITS);
    u32 state = (u32)(s.word & ROWS_OF(ROW_BITS)) / WIDTH;
    u64 taken = rolls - left;
    int ending = taken == rolls ? ROLLS : RUIN;
    if (over && over[state]) ending = WHEN;
    if (hands >= hand_limit) ending = HANDS;
    if (net <= loss) ending = STOP_LOSS;
    if (net >= win) ending = STOP_WIN;
#else
  for (; i < count; i += stride) {
    u64 table_number = first + i, taken = rolls, hands = 0, action = 0; i64 net = 0; int ending = ROLLS;
    session s;
#if NARROW
    s.row = (u32)start; s.half = s.s1 = s.s2 = s.s3 = 0;
#else
    s.word = start;
#endif
    u32 left = (u32)rolls, block = 0;
    while (left) {
      u32 stretch = left < STRETCH ? left : STRETCH, rest = stretch % PER_BLOCK;
      for (u32 end = block + stretch / PER_BLOCK; block < end; block++) {
        dice d = deal(block, table_number, seed);
        #pragma unroll
        for (int h = 0; h < 2; h++) {
          u32 lo = h ? d.x2 : d.x0, hi = h ? d.x3 : d.x1;
          #pragma unroll
          for (u32 j = 0; j < PER_HALF / K; j++) look(s, T, M[DEALT(lo, hi)]);
          empty(s);
        }
      }
      if (rest) {
        dice d = deal(block, table_number, seed);
        u32 lo = d.x0, hi = d.x1;
        for (u32 j = 0; j < rest; j++) {
          if (j == PER_HALF) { lo = d.x2; hi = d.x3; empty(s); }
          look(s, T, M1[THROWN(lo, hi)]);
        }
        empty(s);
      }
#if NARROW
      net += (int)s.s1;
      action += (u32)(s.s2 - (s.s1 << ACTION_BITS));
      hands += (u32)(s.s3 - (s.s2 << HAND_BITS));
      s.s1 = s.s2 = s.s3 = 0;
#else
      net += (i64)s.word >> (ROW_BITS + HAND_BITS + ACTION_BITS);
      hands += (s.word >> ROW_BITS) & ROWS_OF(HAND_BITS);
      action += (s.word >> (ROW_BITS + HAND_BITS)) & ROWS_OF(ACTION_BITS);
      s.word &= ROWS_OF(ROW_BITS);
#endif
      left -= stretch;
    }
#if NARROW
    u32 state = s.row / WIDTH;
#else
    u32 state = (u32)s.word / WIDTH;
#endif
#endif
    u64 out = 0, out_action = 0;
#if RUN_OUT
    u64 felt = enter[state];
    net += back[state];
    if (felt) {
      u32 at = (u32)(taken / PER_BLOCK), place = (u32)(taken % PER_BLOCK);
      while (felt & ROWS_OF(OUT_ROW_BITS)) {
        dice d = deal(at++, first + i, seed);
        u32 lo = d.x0, hi = d.x1;
        bool another = place < PER_HALF;
        if (!another) { lo = d.x2; hi = d.x3; place -= PER_HALF; }
        for (;;) {
          #pragma unroll
          for (u32 j = 0; j < PER_HALF; j++) {
            u32 dealt = THROWN(lo, hi);
            if (j >= place) felt += O[(u32)(felt & ROWS_OF(OUT_ROW_BITS)) + MO[dealt]];
          }
          place = 0;
          if (!another || !(felt & ROWS_OF(OUT_ROW_BITS))) break;
          lo = d.x2; hi = d.x3; another = false;
        }
      }
      net += (i64)felt >> (OUT_ROW_BITS + OUT_HAND_BITS + OUT_ACTION_BITS);
      out = (felt >> OUT_ROW_BITS) & ROWS_OF(OUT_HAND_BITS);
      out_action = (felt >> (OUT_ROW_BITS + OUT_HAND_BITS)) & ROWS_OF(OUT_ACTION_BITS);
    }
#endif
#if ROWS
    r_net[i] = net; r_rolls[i] = taken; r_hands[i] = hands; r_ending[i] = (u8)ending;
    r_action[i] = action * COARSE + out_action * OUT_COARSE; r_run_out[i] = out;
#else
    u64 bin = (u64)(net - least) / step;
    if (bin - window_first < window) atomicAdd(H + (u32)(bin - window_first), 1u);
    else atomicAdd(nets + bin, (u64)1);
    if (ending == RUIN) atomicAdd(ruins + taken, (u64)1);
    sum_rolls += taken; sum_hands += hands; sum_action += action; sum_out_action += out_action; sum_run_out += out;
    #pragma unroll
    for (int e = 0; e < ENDINGS; e++) endings[e] += ending == e;
#endif
#if RULED
    i += stride; s.word = start; left = rolls; block = 0;
#endif
  }
#if !ROWS
  __syncthreads();
  for (u32 b = threadIdx.x; b < window; b += blockDim.x) if (H[b]) atomicAdd(nets + window_first + b, (u64)H[b]);
  u64 all[5 + ENDINGS] = {sum_rolls, sum_hands, sum_action, sum_out_action, sum_run_out};
  #pragma unroll
  for (int e = 0; e < ENDINGS; e++) all[5 + e] = endings[e];
  #pragma unroll
  for (int e = 0; e < 5 + ENDINGS; e++) {
    for (int o = 16; o; o >>= 1) all[e] += __shfl_down_sync(0xffffffffu, all[e], o);
    if ((threadIdx.x & 31) == 0 && all[e]) atomicAdd(sums + e, all[e]);
  }
#endif
}
