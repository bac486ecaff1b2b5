/** Results are exact up to this many numbers. */
const MAX_EXACT = 10_000;

/** Beyond this many buckets, neighbors are merged. The default accuracy of 0.01 never needs as many. */
const MAX_BUCKETS = 100_000;

/**
 * Quantiles of a stream of numbers in bounded memory. The quantile p of n sorted numbers is the one at index ⌊p·(n−1)⌋.
 *
 * Beyond {@link MAX_EXACT}, numbers are counted in buckets that grow geometrically, so a result is within the relative
 * `accuracy` of the exact one.
 */
export class Quantiles {
  readonly #exact: number[] = [];
  /** Logarithm of the ratio between a bucket's bounds. */
  #growth: number;
  #counts: Map<number, number> | undefined;
  /** The buckets in ascending order; `undefined` if it must be computed again. */
  #order: readonly number[] | undefined;
  #size = 0;

  /** @param accuracy between 0 and 1, exclusive. */
  constructor(accuracy: number) {
    this.#growth = Math.log((1 + accuracy) / (1 - accuracy));
  }

  add(number: number): void {
    this.#size += 1;
    if (this.#counts !== undefined) this.#count(this.#counts, number);
    else if (this.#exact.push(number) > MAX_EXACT) this.#startCounting();
  }

  #startCounting(): void {
    const counts = new Map<number, number>();
    this.#counts = counts;
    for (const kept of this.#exact.splice(0)) this.#count(counts, kept);
  }

  /** @returns the quantiles for the given percentages; `undefined` without numbers. */
  at(percentages: readonly number[]): number[] | undefined {
    if (this.#size === 0) return undefined;
    const indexes = percentages.map((percentage) => indexOf(percentage, this.#size));
    if (this.#counts === undefined) {
      // The array stays sorted for the next result.
      const sorted = this.#exact.sort((a, b) => a - b);
      return indexes.map((index) => sorted[index] ?? 0);
    }
    const counts = this.#counts;
    this.#order ??= [...counts.keys()].sort((a, b) => a - b);
    const order = this.#order;
    return indexes.map((index) => this.#valueOf(bucketAt(order, counts, index)));
  }

  #count(counts: Map<number, number>, number: number): void {
    const bucket = this.#bucketOf(number);
    const count = counts.get(bucket) ?? 0;
    if (count === 0) this.#order = undefined;
    counts.set(bucket, count + 1);
    if (counts.size > MAX_BUCKETS) this.#coarsen(counts);
  }

  /** Merges pairs of neighboring buckets. */
  #coarsen(counts: ReadonlyMap<number, number>): void {
    const coarser = new Map<number, number>();
    for (const [bucket, count] of counts) {
      const joined =
        bucket === 0 ? 0 : Math.sign(bucket) * (Math.ceil((Math.abs(bucket) - SHIFT) / 2) + SHIFT);
      coarser.set(joined, (coarser.get(joined) ?? 0) + count);
    }
    this.#counts = coarser;
    this.#growth *= 2;
  }

  /** Bucket 0 holds zero. The bucket has the sign of its numbers, shifted so that no logarithm gives 0. */
  #bucketOf(number: number): number {
    if (number === 0) return 0;
    const step = Math.ceil(Math.log(Math.abs(number)) / this.#growth) + SHIFT;
    return number < 0 ? -step : step;
  }

  #valueOf(bucket: number): number {
    if (bucket === 0) return 0;
    const upper = Math.exp((Math.abs(bucket) - SHIFT) * this.#growth);
    const middle = Math.min((2 * upper) / (1 + Math.exp(this.#growth)), Number.MAX_VALUE);
    return bucket < 0 ? -middle : middle;
  }
}

/** Exact quantiles of a sliding window. */
export class SlidingQuantiles {
  readonly #sorted: number[] = [];

  add(number: number): void {
    this.#sorted.splice(this.#placeOf(number), 0, number);
  }

  forget(number: number): void {
    this.#sorted.splice(this.#placeOf(number), 1);
  }

  /** See {@link Quantiles.at}. */
  at(percentages: readonly number[]): number[] | undefined {
    const sorted = this.#sorted;
    if (sorted.length === 0) return undefined;
    return percentages.map((percentage) => sorted[indexOf(percentage, sorted.length)]!);
  }

  /** Index of the first number that is not smaller. */
  #placeOf(number: number): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sorted[middle]! < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function indexOf(percentage: number, size: number): number {
  return Math.floor((percentage * (size - 1)) / 100);
}

/** More than the number of buckets between 1 and the smallest number at the finest accuracy. */
const SHIFT = 1e9;

function bucketAt(order: readonly number[], counts: ReadonlyMap<number, number>, index: number): number {
  let passed = 0;
  for (const bucket of order) {
    passed += counts.get(bucket)!;
    if (passed > index) return bucket;
  }
  return order.at(-1) ?? 0;
}
