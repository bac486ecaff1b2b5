import { unrefTimer } from '../../core/clock.ts';
import { callHook } from '../../core/hook-call.ts';
import { ACTIVITY_VIEW } from '../../core/wire/activity-view.ts';
import type { ServerClock } from '../clock.ts';
import { EventBuilder } from '../ingest/event-builder.ts';
import { putField } from '../ingest/flatten.ts';
import { instantFromNumber } from '../ingest/instant.ts';
import { EventStore } from '../store/event-store.ts';
import { RowBatch } from '../store/row-batch.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { RejectedRequest, Rejection } from './rejection.ts';

/** Further causes are counted together. */
const MAX_CAUSES = 1000;
const OTHER_CAUSES: RejectedRequest = {
  client: 'several',
  token: 'several',
  method: '',
  path: '',
  status: 400,
  reason: `More than ${MAX_CAUSES} different causes: this is the number of all others.`,
  fix: 'Fix the other causes and restart the server.',
};
const MAX_EVENTS = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_EVENT_BYTES = 64 * 1024;
/** Repeated rejections become at most one event per cause within this time. */
const REPORT_INTERVAL_MS = 2000;

interface Cause {
  readonly id: string;
  readonly first: RejectedRequest;
  readonly firstTime: number;
  lastTime: number;
  count: number;
  /** How many of them are in events. */
  reported: number;
}

export interface RejectionsOptions {
  readonly clock: ServerClock;
  readonly onRejection?: ((rejection: Rejection) => void) | undefined;
  readonly onWarning: (message: string) => void;
}

/** Counts rejections per cause, and writes them as events that can be queried. */
export class Rejections {
  /** One event for the first rejection of a cause; repeated rejections share events. */
  readonly store = new EventStore({ maxEvents: MAX_EVENTS, maxBytes: MAX_BYTES });
  readonly #options: RejectionsOptions;
  readonly #builder: EventBuilder;
  readonly #causes = new Map<string, Cause>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RejectionsOptions) {
    this.#options = options;
    this.#builder = new EventBuilder(options.clock, MAX_EVENT_BYTES);
  }

  /** Counts rejections of the same kind. */
  add(rejected: RejectedRequest, count = 1): void {
    const cause = this.#causeOf(rejected);
    const isNew = cause.count === 0;
    cause.count += count;
    cause.lastTime = this.#options.clock.now();
    if (isNew) {
      this.#report([cause]);
      this.#notify(cause);
    } else {
      this.#timer ??= unrefTimer(setTimeout(() => this.#reportRepeated(), REPORT_INTERVAL_MS));
    }
  }

  /** In the order of their first occurrence. */
  list(): Rejection[] {
    return [...this.#causes.values()].map(rejectionOf);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.store.close();
  }

  #causeOf(rejected: RejectedRequest): Cause {
    const key = keyOf(rejected);
    const known = this.#causes.get(key);
    if (known !== undefined) return known;
    if (this.#causes.size >= MAX_CAUSES && rejected !== OTHER_CAUSES) return this.#causeOf(OTHER_CAUSES);
    const now = this.#options.clock.now();
    const id = String(this.#causes.size + 1);
    const cause = { id, first: rejected, firstTime: now, lastTime: now, count: 0, reported: 0 };
    this.#causes.set(key, cause);
    return cause;
  }

  #reportRepeated(): void {
    this.#timer = undefined;
    this.#report([...this.#causes.values()].filter(({ count, reported }) => count > reported));
  }

  #report(causes: readonly Cause[]): void {
    this.store.append(new RowBatch(causes.map((cause) => this.#eventOf(cause))));
    for (const cause of causes) cause.reported = cause.count;
  }

  #eventOf(cause: Cause): StoredEvent {
    const { excerpt, ...rejection } = rejectionOf(cause);
    const { method, path, status, client, token, reason, fix, count, firstTime, lastTime } = rejection;
    const event = this.#builder.begin({
      repository: ACTIVITY_VIEW,
      type: 'humio',
      tags: { category: 'Rejection', severity: 'Warning' },
      instant: instantFromNumber(Math.max(0, lastTime))!,
      rawstring: `${method} ${path} ${status} from ${client}: ${reason}`,
    });
    const fields = {
      level: 'warn',
      message: reason,
      ...{ client, token, method, path, status, fix, excerpt, firstTime },
      cause: cause.id,
      count: count - cause.reported,
      total: count,
    };
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) putField(event, name, String(value));
    return this.#builder.finish(event);
  }

  #notify(cause: Cause): void {
    const { onRejection, onWarning } = this.#options;
    callHook(
      () => onRejection?.(rejectionOf(cause)),
      (error) => onWarning(`onRejection failed: ${error instanceof Error ? error.message : String(error)}`),
    );
  }
}

function rejectionOf({ first, count, firstTime, lastTime }: Cause): Rejection {
  return { ...first, count, firstTime, lastTime };
}

/** Numbers and quoted JSON differ between records with the same cause. */
function keyOf({ client, token, method, path, status, reason }: RejectedRequest): string {
  const pattern = reason.replace(/Unexpected token .* is not valid JSON/s, 'not JSON').replace(/\d+/g, '0');
  return JSON.stringify([client, token, method, path, status, pattern]);
}
