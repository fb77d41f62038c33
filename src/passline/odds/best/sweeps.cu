__device__ double worth(const double* values, const double* reward, const long long* out, const double* weight,
                        const int* gain, const int* group, long long row, int wealth, int width) {
  double total = reward[row];
  for (long long edge = out[row]; edge < out[row + 1]; edge++) {
    int after = min(max(wealth + gain[edge], 0), width - 1);
    total += weight[edge] * values[(long long)group[edge] * width + after];
  }
  return total;
}
__device__ bool better(double total, double best, double close) {
  double least = fmax(best, -1e300);
  return total > least + close * fmax(1.0, fabs(least));
}
extern "C" __global__ void best_of_rows(const double* values, double* part, int* part_row, const int* part_group,
    const int* part_first, const int* part_last, const int* stakes, const bool* skipped, const int* limit,
    const double* reward, const long long* out, const double* weight, const int* gain, const int* group,
    double close, long long parts, int width) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= parts * width) return;
  long long each = at / width;
  int wealth = at % width, g = part_group[each], taken = -1;
  double best = values[(long long)g * width + wealth];
  if (wealth > 0 && wealth < limit[g])
    for (int row = part_first[each]; row < part_last[each] && stakes[row] <= wealth; row++)
      if (!skipped[row]) {
        double total = worth(values, reward, out, weight, gain, group, row, wealth, width);
        if (better(total, best, close)) { best = total; taken = row; }
      }
  part[at] = best;
  part_row[at] = taken;
}
extern "C" __global__ void best_of_parts(const double* values, const int* chosen, const double* part,
    const int* part_row, const int* parts_first, double* own, int* own_row, double close, long long groups, int width) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= groups * width) return;
  long long g = at / width;
  double best = values[at];
  int taken = chosen[at];
  for (long long each = parts_first[g]; each < parts_first[g + 1]; each++) {
    long long place = each * width + at % width;
    if (part_row[place] >= 0 && better(part[place], best, close)) { best = part[place]; taken = part_row[place]; }
  }
  own[at] = best;
  own_row[at] = taken;
}
extern "C" __global__ void best_of_onward(const double* own, const int* own_row, const int* far_first, const int* far,
    const int* limit, double* values, int* chosen, unsigned long long* most, long long groups, int width) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= groups * width) return;
  long long g = at / width;
  double best = own[at];
  int taken = own_row[at], wealth = at % width;
  if (wealth > 0 && wealth < limit[g])
    for (int place = far_first[g]; place < far_first[g + 1]; place++) {
      long long to = (long long)far[place] * width + wealth;
      if (own[to] > best && own_row[to] >= 0) { best = own[to]; taken = own_row[to]; }
    }
  if (best > values[at]) atomicMax(most, (unsigned long long)__double_as_longlong(best - values[at]));
  values[at] = best;
  chosen[at] = taken;
}
extern "C" __global__ void evaluate(const double* values, double* after, const int* chosen, const int* stakes,
    const double* reward, const long long* out, const double* weight, const int* gain, const int* group,
    unsigned long long* most, long long groups, int width) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= groups * width) return;
  double value = values[at];
  int row = chosen[at], wealth = at % width;
  if (row >= 0 && stakes[row] <= wealth) {
    double total = worth(values, reward, out, weight, gain, group, row, wealth, width);
    if (total > value) {
      atomicMax(most, (unsigned long long)__double_as_longlong(total - value));
      value = total;
    }
  }
  after[at] = value;
}
