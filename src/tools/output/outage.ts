import { countText } from '../../core/count-text.ts';
import { timeText } from './time-text.ts';

/** The second report of an outage. */
const FIRST_STEP_MS = 60_000;

/** Reports an outage when it starts, again after a minute and after twice as long each time, and when it ends. */
export class Outage {
  readonly #say: (message: string) => void;
  #startedAt: number | undefined;
  #nextMs = 0;

  constructor(say: (message: string) => void) {
    this.#say = say;
  }

  /** @param attempts failed ones since the start. */
  failed(message: string, attempts: number): void {
    this.#startedAt ??= Date.now();
    const lastedMs = Date.now() - this.#startedAt;
    if (lastedMs < this.#nextMs) return;
    const since = timeText(String(this.#startedAt), undefined).slice(0, 19);
    const more = this.#nextMs === 0 ? '' : ` Since ${since}, ${countText(attempts, 'attempt')}.`;
    this.#nextMs = Math.max(FIRST_STEP_MS, 2 * lastedMs);
    this.#say(message + more);
  }

  ended(message: string): void {
    if (this.#startedAt !== undefined) this.#say(message);
    this.#startedAt = undefined;
    this.#nextMs = 0;
  }
}
