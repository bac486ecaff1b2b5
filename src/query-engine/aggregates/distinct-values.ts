import { textBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';

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
    else if (!this.#exact.has(value)) this.#keep(value);
  }

  #keep(value: string): void {
    this.#run?.retain?.(textBytes(value));
    if (this.#exact.add(value).size > this.#maxExact) this.#registers = this.#startEstimate();
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

/** One half of the hash selects a register, which stores the longest run of leading zeros in the other half. */
function note(registers: Uint8Array, value: string): void {
  const [index, pattern] = hash(value);
  const rank = Math.clz32(pattern) + 1;
  const register = index >>> (32 - REGISTER_BITS);
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

function hash(value: string): readonly [number, number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return [mix(a ^ (b >>> 13)), mix(b ^ (a >>> 13))];
}

function mix(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 2246822507);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 3266489909);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
