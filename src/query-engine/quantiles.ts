/** Up to here every number is kept and the answers are exact. */
const MAX_EXACT = 10_000;

/**
 * Nearest-rank quantiles of a stream of numbers in bounded memory.
 *
 * Beyond {@link MAX_EXACT} numbers they are counted in buckets whose bounds grow geometrically, so that an answer is
 * within the relative `accuracy` of the exact one.
 */
export class Quantiles {
  readonly #growth: number;
  readonly #exact: number[] = [];
  #counts: Map<number, number> | undefined;
  #size = 0;

  /** @param accuracy between 0 and 1, both excluded. */
  constructor(accuracy: number) {
    this.#growth = Math.log((1 + accuracy) / (1 - accuracy));
  }

  add(number: number): void {
    this.#size += 1;
    if (this.#counts !== undefined) this.#count(this.#counts, number);
    else if (this.#exact.push(number) > MAX_EXACT) this.#counts = this.#startCounting();
  }

  #startCounting(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const kept of this.#exact.splice(0)) this.#count(counts, kept);
    return counts;
  }

  /** @returns the numbers below which the given percentages lie; `undefined` when there are no numbers. */
  at(percentages: readonly number[]): number[] | undefined {
    if (this.#size === 0) return undefined;
    const ranks = percentages.map((percentage) => Math.max(1, Math.ceil((percentage / 100) * this.#size)));
    if (this.#counts === undefined) {
      const sorted = this.#exact.toSorted((a, b) => a - b);
      return ranks.map((rank) => sorted[rank - 1] ?? 0);
    }
    const buckets = [...this.#counts]
      .map(([bucket, count]) => ({ value: this.#valueOf(bucket), count }))
      .sort((a, b) => a.value - b.value);
    return ranks.map((rank) => valueAtRank(buckets, rank));
  }

  #count(counts: Map<number, number>, number: number): void {
    const bucket = this.#bucketOf(number);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }

  /** 0 holds zero; the sign of a bucket is the sign of its numbers, shifted so that no logarithm gives 0. */
  #bucketOf(number: number): number {
    if (Math.abs(number) < SMALLEST) return 0;
    const step = Math.ceil(Math.log(Math.abs(number)) / this.#growth) + SHIFT;
    return number < 0 ? -step : step;
  }

  #valueOf(bucket: number): number {
    if (bucket === 0) return 0;
    const upper = Math.exp((Math.abs(bucket) - SHIFT) * this.#growth);
    const middle = (2 * upper) / (1 + Math.exp(this.#growth));
    return bucket < 0 ? -middle : middle;
  }
}

/** Nearer to zero than this is zero. */
const SMALLEST = 1e-9;
/** More than the number of steps from 1 down to {@link SMALLEST} at the finest accuracy. */
const SHIFT = 1e9;

function valueAtRank(buckets: readonly { value: number; count: number }[], rank: number): number {
  let passed = 0;
  for (const { value, count } of buckets) {
    passed += count;
    if (passed >= rank) return value;
  }
  return buckets.at(-1)?.value ?? 0;
}
