import type { Clock, Timer } from '../../core/clock.ts';
import { type ProcessExitListener, processExit } from '../process/process-exit.ts';
import type { LostRecords } from './delivery-event.ts';
import type { DropReason } from './ingester-stats.ts';

/** Maximum calls per second. A hook that logs while the queue is full causes the next drop. */
const MAX_CALLS = 1_000;
const INTERVAL_MS = 1_000;

/**
 * Calls the hook `onDrop` immediately. Over the limit, drops are combined into one call per reason and second, the last one at
 * exit.
 */
export class DropHook implements ProcessExitListener {
  readonly #call: (reason: DropReason, lost: LostRecords) => void;
  readonly #clock: Clock;
  readonly #exit: typeof processExit;
  readonly #gathered = new Map<DropReason, LostRecords[]>();
  #calls = 0;
  #isCalling = false;
  #timer: Timer | undefined;

  /** @param call must not throw. */
  constructor(call: (reason: DropReason, lost: LostRecords) => void, clock: Clock, exit = processExit) {
    this.#call = call;
    this.#clock = clock;
    this.#exit = exit;
  }

  dropped(reason: DropReason, lost: LostRecords): void {
    // A drop caused by the hook's own logging must not call it again.
    if (this.#isCalling) return;
    this.#timer ??= this.#clock.startTimer(INTERVAL_MS, () => this.flush());
    if (this.#calls < MAX_CALLS) this.#callHook(reason, lost);
    // After the last exit listener only hooks log, which causes the next drop.
    else if (!this.#exit.hasEnded()) this.#gather(reason, lost);
  }

  atExit(): void {
    this.flush();
  }

  flush(): void {
    this.#exit.unwatch(this);
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#calls = 0;
    const gathered = [...this.#gathered];
    this.#gathered.clear();
    for (const [reason, losses] of gathered) this.#callHook(reason, together(losses));
  }

  #gather(reason: DropReason, lost: LostRecords): void {
    const gathered = this.#gathered.get(reason);
    if (gathered === undefined) this.#gathered.set(reason, [lost]);
    else gathered.push(lost);
    this.#exit.watch(this);
  }

  #callHook(reason: DropReason, lost: LostRecords): void {
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
