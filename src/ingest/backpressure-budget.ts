/** Limits of the time that a writer waits, in milliseconds. */
export interface BackpressureLimits {
  /** For the lines of one `write`. @default Infinity */
  readonly perWriteMs?: number;
  /** In total, until all lines written in the meantime are accepted. @default Infinity */
  readonly untilCaughtUpMs?: number;
}

/** The time that a writer can still wait: what is written meanwhile stays in its memory. */
export class BackpressureBudget {
  readonly #perWriteMs: number;
  readonly #untilCaughtUpMs: number;
  #writeLeftMs: number;
  #totalLeftMs: number;

  constructor(limits: BackpressureLimits) {
    const { perWriteMs = Number.POSITIVE_INFINITY, untilCaughtUpMs = Number.POSITIVE_INFINITY } = limits;
    this.#perWriteMs = perWriteMs;
    this.#untilCaughtUpMs = untilCaughtUpMs;
    this.#writeLeftMs = perWriteMs;
    this.#totalLeftMs = untilCaughtUpMs;
  }

  get leftMs(): number {
    return Math.max(0, Math.min(this.#writeLeftMs, this.#totalLeftMs));
  }

  /** @param hasCaughtUp true if no earlier lines are waiting. */
  nextWrite(hasCaughtUp: boolean): void {
    this.#writeLeftMs = this.#perWriteMs;
    if (hasCaughtUp) this.#totalLeftMs = this.#untilCaughtUpMs;
  }

  spend(ms: number): void {
    this.#writeLeftMs -= ms;
    this.#totalLeftMs -= ms;
  }

  /** Ends all waiting until the writer has caught up. */
  exhaust(): void {
    this.#totalLeftMs = 0;
  }
}
