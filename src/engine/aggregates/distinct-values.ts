import { textBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { hashText } from '../text/text-hash.ts';

/** Number of HyperLogLog registers, as a power of 2. Standard error: 0.8 %. */
const REGISTER_BITS = 14;
const REGISTERS = 2 ** REGISTER_BITS;

/** Counts distinct strings in bounded memory: exactly up to a limit, then as a HyperLogLog estimate. */
export class DistinctValues {
  readonly #maxExact: number;
  readonly #run: RunScope | undefined;
  readonly #exact = new Set<string>();
  #registers: Uint8Array | undefined;

  /** @param run accounts for the memory of the values. */
  constructor(maxExact: number, run?: RunScope) {
    this.#maxExact = maxExact;
    this.#run = run;
  }

  add(value: string): void {
    if (this.#registers !== undefined) note(this.#registers, value);
    else if (!this.#exact.has(value)) {
      this.#run?.retain?.(textBytes(value));
      if (this.#exact.add(value).size > this.#maxExact) this.#registers = this.#startEstimate();
    }
  }

  get size(): number {
    return this.#registers === undefined ? this.#exact.size : estimate(this.#registers);
  }

  #startEstimate(): Uint8Array {
    const registers = new Uint8Array(REGISTERS);
    for (const value of this.#exact) note(registers, value);
    this.#exact.clear();
    return registers;
  }
}

/** The first bits of the hash select a register, which stores the longest run of leading zeros in the other bits. */
function note(registers: Uint8Array, value: string): void {
  const hash = hashText(value);
  const rank = Math.clz32((hash << REGISTER_BITS) | (1 << (REGISTER_BITS - 1))) + 1;
  const register = hash >>> (32 - REGISTER_BITS);
  if (rank > registers[register]!) registers[register] = rank;
}

function estimate(registers: Uint8Array): number {
  let sum = 0;
  let empty = 0;
  for (const rank of registers) {
    sum += 2 ** -rank;
    if (rank === 0) empty += 1;
  }
  const raw = ((0.7213 / (1 + 1.079 / REGISTERS)) * REGISTERS ** 2) / sum;
  // With many empty registers, linear counting is more accurate.
  return Math.round(raw <= 2.5 * REGISTERS && empty > 0 ? REGISTERS * Math.log(REGISTERS / empty) : raw);
}
