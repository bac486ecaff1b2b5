import type { Context } from 'hono';
import { countText } from '../../core/count-text.ts';
import type { Repository } from '../repository.ts';
import type { ServerContext } from '../server-context.ts';
import type { EventBatch } from '../store/event-batch.ts';
import { recordRejection } from './record-rejections.ts';

const YEAR_2000 = Date.UTC(2000, 0);
const YEAR_2100 = Date.UTC(2100, 0);

/** The unit in which an endpoint reads times, and the smaller and larger ones that programs send by mistake. */
const UNITS = {
  seconds: { smaller: 'milliseconds', larger: undefined },
  milliseconds: { smaller: 'microseconds', larger: 'seconds' },
  nanoseconds: { smaller: undefined, larger: 'microseconds' },
} as const;

/** Times with which events are accepted, as on the service, although no query for a recent interval finds them. */
interface DoubtfulTimes {
  readonly includes: (time: number) => boolean;
  readonly reason: (year: number) => string;
  readonly fix: string;
}

/** Records the stored events of a request whose times are in another unit or older than what the repository keeps. */
export function recordDoubtfulTimes(
  context: ServerContext,
  c: Context,
  events: EventBatch,
  repository: Repository,
): void {
  const expired = context.clock.now() - repository.retention.maxAgeMs;
  for (const { includes, reason, fix } of [...inOtherUnits(c.req.path), ...notKept(repository, expired)]) {
    let [count, first] = [0, 0];
    for (let index = events.length - 1; index >= 0; index--) {
      if (includes(events.timestampAt(index))) [count, first] = [count + 1, index];
    }
    if (count === 0) continue;
    const year = new Date(events.timestampAt(first)).getUTCFullYear();
    const excerpt = events.rowAt(first)['@rawstring'];
    recordRejection(context, c, { status: 200, reason: reason(year), fix, excerpt }, count);
  }
}

/** Times that are off by a factor of 1,000 from the years 2000 to 2100. */
function inOtherUnits(path: string): DoubtfulTimes[] {
  const isHec = /\/hec\b|^\/services\//.test(path);
  const isOtlp = /\/otlp\b|^\/v1\//.test(path);
  const read = isOtlp ? 'nanoseconds' : isHec ? 'seconds' : 'milliseconds';
  const { smaller, larger } = UNITS[read];
  const times = (sent: string, factor: number): DoubtfulTimes => ({
    includes: (time) => !isPlausible(time) && isPlausible(time * factor),
    reason: (year) => `The time is in ${sent}, but this endpoint reads ${read}: a time in the year ${year}.`,
    fix: `Send the time in ${read}.`,
  });
  return [...(larger ? [times(larger, 1000)] : []), ...(smaller ? [times(smaller, 0.001)] : [])];
}

function isPlausible(time: number): boolean {
  return time >= YEAR_2000 && time < YEAR_2100;
}

/** @param expired the earliest time within the retention by age */
function notKept({ retention, store }: Repository, expired: number): DoubtfulTimes[] {
  const oldest = store.oldest ?? expired;
  return [
    {
      includes: (time) => time < expired,
      reason: () =>
        `Not stored: older than the retention of ${countText(retention.limits.timeBasedRetention ?? 0, 'day')}.`,
      fix: 'Raise the retention, or send the time of the event.',
    },
    {
      includes: (time) => time >= expired && time < oldest,
      reason: () => 'Not stored: newer events fill the memory, or the retention by size.',
      fix: 'Raise "maxEvents", "maxBytes" or the retention.',
    },
  ];
}
