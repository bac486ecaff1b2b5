import { writeSync } from 'node:fs';
import type { Clock } from '../internal/clock.ts';

/** What a warning is about. */
export type WarningKind =
  /** The service does not take records at the moment; they are kept and sent again. */
  | 'retry'
  /** Somebody has to mend a token or an address; records are kept meanwhile. */
  | 'attention'
  /** Records were given up: the queue was full. */
  | 'overflow'
  /** Records were given up: the service refuses them. */
  | 'rejected'
  /** Records were given up: they were left when the ingester closed. */
  | 'closed'
  /** Something in this package failed; logging goes on. */
  | 'internal';

export interface Warning {
  readonly kind: WarningKind;
  readonly message: string;
}

const INTERVAL_MS = 30_000;

const STDERR = 2;

interface KindState {
  lastShownAt: number;
  /** Occurrences since the last line. */
  hidden: number;
}

/**
 * Tells people about trouble, on stderr and never through the logger: the first of a kind at once, after that one
 * line in 30 seconds.
 */
export class Warnings {
  readonly #clock: Clock;
  readonly #onWarning: ((warning: Warning) => void) | undefined;
  readonly #kinds = new Map<WarningKind, KindState>();

  constructor(clock: Clock, onWarning?: (warning: Warning) => void) {
    this.#clock = clock;
    this.#onWarning = onWarning;
  }

  /**
   * @param messageFor the text, given how many occurrences it stands for.
   * @param occurrences how many this call reports.
   */
  report(kind: WarningKind, messageFor: (occurrences: number) => string, occurrences = 1): void {
    const now = this.#clock.now();
    const state = this.#kinds.get(kind) ?? { lastShownAt: Number.NEGATIVE_INFINITY, hidden: 0 };
    this.#kinds.set(kind, state);
    state.hidden += occurrences;
    if (now - state.lastShownAt < INTERVAL_MS) return;
    this.#show({ kind, message: messageFor(state.hidden) });
    state.lastShownAt = now;
    state.hidden = 0;
  }

  #show(warning: Warning): void {
    try {
      if (this.#onWarning !== undefined) this.#onWarning(warning);
      // Written at once: `process.stderr` of a worker goes through a main thread that may be about to end.
      else writeSync(STDERR, `logclient: ${warning.message}\n`);
    } catch {
      // A hook that throws, or nobody reads stderr. Neither may stop the delivery of records.
    }
  }
}
