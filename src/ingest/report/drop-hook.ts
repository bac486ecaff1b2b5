import type { Timer } from '../../core/clock.ts';
import type { ProcessExitListener } from '../process/process-exit.ts';
import type { World } from '../world.ts';
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
  readonly #world: Pick<World, 'clock' | 'exit'>;
  readonly #gathered = new Map<DropReason, LostRecords[]>();
  #calls = 0;
  #isCalling = false;
  #timer: Timer | undefined;

  /** @param call must not throw. */
  constructor(call: (reason: DropReason, lost: LostRecords) => void, world: Pick<World, 'clock' | 'exit'>) {
    this.#call = call;
    this.#world = world;
  }

  dropped(reason: DropReason, lost: LostRecords): void {
    // A drop caused by the hook's own logging must not call it again.
    if (this.#isCalling) return;
    this.#timer ??= this.#world.clock.startTimer(INTERVAL_MS, () => this.flush());
    if (this.#calls < MAX_CALLS) this.#callHook(reason, lost);
    // After the last exit listener only hooks log, which causes the next drop.
    else if (!this.#world.exit.hasEnded()) {
      const gathered = this.#gathered.get(reason) ?? [];
      gathered.push(lost);
      this.#gathered.set(reason, gathered);
      this.#world.exit.watch(this);
    }
  }

  atExit(): void {
    this.flush();
  }

  flush(): void {
    this.#world.exit.unwatch(this);
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#calls = 0;
    const gathered = [...this.#gathered];
    this.#gathered.clear();
    for (const [reason, losses] of gathered) this.#callHook(reason, together(losses));
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
