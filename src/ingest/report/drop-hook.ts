import type { Clock, Timer } from '../../internal/clock.ts';
import type { DropReason } from './ingester-stats.ts';
import type { LostRecords } from './lost-records.ts';

/**
 * In a second the hook is called so often. One that logs what it hears of makes the next drop while the queue is full,
 * and that the next call: without a bound the program would do nothing else.
 */
const MAX_CALLS = 1_000;
const INTERVAL_MS = 1_000;

/** Calls the hook `onDrop`: at once, or later for all that has gathered since. */
export class DropHook {
  readonly #call: (reason: DropReason, lost: LostRecords) => void;
  readonly #clock: Clock;
  readonly #gathered = new Map<DropReason, LostRecords[]>();
  #calls = 0;
  #isCalling = false;
  #timer: Timer | undefined;

  /** @param call must not throw. */
  constructor(call: (reason: DropReason, lost: LostRecords) => void, clock: Clock) {
    this.#call = call;
    this.#clock = clock;
  }

  dropped(reason: DropReason, lost: LostRecords): void {
    // What is displaced by a hook that logs must not call it again, and so on.
    if (this.#isCalling) return;
    this.#timer ??= this.#clock.startTimer(INTERVAL_MS, () => this.tellAll());
    if (this.#calls < MAX_CALLS) this.#tell(reason, lost);
    else this.#gather(reason, lost);
  }

  /** Tells what has gathered. */
  tellAll(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#calls = 0;
    const gathered = [...this.#gathered];
    this.#gathered.clear();
    for (const [reason, losses] of gathered) this.#tell(reason, together(losses));
  }

  #gather(reason: DropReason, lost: LostRecords): void {
    const gathered = this.#gathered.get(reason);
    if (gathered === undefined) this.#gathered.set(reason, [lost]);
    else gathered.push(lost);
  }

  #tell(reason: DropReason, lost: LostRecords): void {
    this.#calls++;
    this.#isCalling = true;
    this.#call(reason, lost);
    this.#isCalling = false;
  }
}

function together(losses: readonly LostRecords[]): LostRecords {
  return {
    length: losses.reduce((sum, { length }) => sum + length, 0),
    read: () => losses.flatMap(({ read }) => read()),
  };
}
