/** How long a writer can wait, in milliseconds. */
export interface PatienceOptions {
  /** For the lines of one `write` to be accepted. @default Infinity */
  readonly perWriteMs?: number;
  /** In total, until all lines written in the meantime are accepted. @default Infinity */
  readonly untilCaughtUpMs?: number;
}

/** The patience of a writer who is held back: what it has to write meanwhile takes its memory. */
export class Patience {
  readonly #perWriteMs: number;
  readonly #untilCaughtUpMs: number;
  #writeLeftMs: number;
  #totalLeftMs: number;

  constructor(options: PatienceOptions) {
    const { perWriteMs = Number.POSITIVE_INFINITY, untilCaughtUpMs = Number.POSITIVE_INFINITY } = options;
    this.#perWriteMs = perWriteMs;
    this.#untilCaughtUpMs = untilCaughtUpMs;
    this.#writeLeftMs = perWriteMs;
    this.#totalLeftMs = untilCaughtUpMs;
  }

  get leftMs(): number {
    return Math.max(0, Math.min(this.#writeLeftMs, this.#totalLeftMs));
  }

  /** @param hasCaughtUp nothing else waits to be taken. */
  nextWrite(hasCaughtUp: boolean): void {
    this.#writeLeftMs = this.#perWriteMs;
    if (hasCaughtUp) this.#totalLeftMs = this.#untilCaughtUpMs;
  }

  spend(ms: number): void {
    this.#writeLeftMs -= ms;
    this.#totalLeftMs -= ms;
  }

  /** The writer can't wait until it has caught up. */
  exhaust(): void {
    this.#totalLeftMs = 0;
  }
}
