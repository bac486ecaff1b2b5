import { type Fields, readField, setField } from '../../engine/index.ts';
import type { ServerClock } from '../clock.ts';
import { resourceId } from '../registries/resource-id.ts';
import type { EventDefaults } from '../store/batch-index.ts';
import type { EventIds } from '../store/event-batch.ts';
import { type StoredEvent, weightOf } from '../store/stored-event.ts';
import { putField } from './flatten.ts';
import { type Instant, instantFromNumber } from './instant.ts';
import { failureFields } from './json-line.ts';
import { OWN_FIELDS, SYSTEM_FIELDS } from './system-fields.ts';

/** The service's maximum number of fields per event. */
const MAX_FIELDS = 1000;
/** What the events of a group share. */
export interface EventGroup {
  readonly repository: string;
  /** Name of the parser, for `#type`. */
  readonly type: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** An event without its fields. */
export interface EventHead extends EventGroup {
  readonly instant: Instant;
  readonly rawstring: string;
}

/** An event that is not stored, or not completely. */
export type Incomplete = Readonly<Record<'excerpt' | 'reason' | 'fix', string>>;
type OnIncomplete = (event: Incomplete) => void;

const TRUNCATED_FIX =
  'Log smaller records. The limits are those of the service; "maxEventBytes" sets another size for tests.';
const DROPPED_FIX = 'Change the filters of the parser if its events should be stored.';
const FAILED_FIX = 'The event is stored with @error=true. Correct the parser, or what the program sends.';

export class EventBuilder {
  readonly maxEventBytes: number;
  readonly #clock: ServerClock;
  readonly #ids: { readonly prefix: string; built: number };
  readonly #onIncomplete: OnIncomplete;

  constructor(
    clock: ServerClock,
    maxEventBytes: number,
    onIncomplete: OnIncomplete = () => {},
    // New for each run of the server, so IDs stay unique if stored events outlive it.
    ids = { prefix: `${resourceId(24)}_0_`, built: 0 },
  ) {
    this.#clock = clock;
    this.maxEventBytes = maxEventBytes;
    this.#onIncomplete = onIncomplete;
    this.#ids = ids;
  }

  /** The same builder with a callback for events that are truncated, or that a parser drops or fails on. */
  reporting(onIncomplete: OnIncomplete): EventBuilder {
    return new EventBuilder(this.#clock, this.maxEventBytes, onIncomplete, this.#ids);
  }

  /** An event without the client's fields; `putField` and `flattenInto` add those. */
  begin({ instant, rawstring, ...group }: EventHead): StoredEvent {
    const event = this.#blank(group, instant.timezone);
    event['@timestamp'] = String(instant.epochMs);
    event['@timestamp.nanos'] = String(instant.nanos);
    event['@id'] = this.#newId(instant.epochMs);
    event['@rawstring'] = rawstring;
    return event;
  }

  /** The fields that `begin()` sets on every event of a group. */
  defaults(group: EventGroup, timezone: string): EventDefaults {
    const template = this.#blank(group, timezone);
    return { template, weight: weightOf(template) };
  }

  takeIds(count: number): EventIds {
    const first = this.#ids.built;
    this.#ids.built += count;
    return { prefix: this.#ids.prefix, first };
  }

  /**
   * The events that a parser created from another one, as stored. A script can't remove or move the server's own fields,
   * and an invalid time is replaced by that of the original.
   */
  adopt(rows: readonly Fields[], original: StoredEvent): readonly StoredEvent[] {
    const { '@rawstring': excerpt = '', '#type': parser } = original;
    const note = (reason: string, fix: string) => this.#onIncomplete({ excerpt, reason, fix });
    if (rows.length === 0) note(`The parser ${parser} dropped the event.`, DROPPED_FIX);
    return rows.map((row, index) => {
      const event = row === original ? original : this.#adopted(row, original, index === 0);
      if (event['@error'] === 'true') note(event['@error_msg'] ?? `The parser ${parser} failed.`, FAILED_FIX);
      return this.finish(event);
    });
  }

  #adopted(row: Fields, original: StoredEvent, isFirst: boolean): StoredEvent {
    const time = readField(row, '@timestamp');
    const isInteger = time !== undefined && /^\d{1,16}$/.test(time);
    const hasTime = isInteger && instantFromNumber(Number(time)) !== undefined;
    const event: StoredEvent = { '@timestamp': hasTime ? time : original['@timestamp']! };
    for (const name of SYSTEM_FIELDS) {
      const value = OWN_FIELDS.has(name) ? original[name] : (readField(row, name) ?? original[name]);
      if (name !== '@timestamp' && value !== undefined) event[name] = value;
    }
    if (readField(row, '@rawstring') === undefined) event['@rawstring'] = '';
    if (!isFirst) event['@id'] = this.#newId(Number(original['@timestamp']));
    for (const name in row) {
      const value = SYSTEM_FIELDS.has(name) ? undefined : readField(row, name);
      if (value !== undefined) setField(event, name, value);
    }
    if (time !== undefined && !hasTime)
      Object.assign(event, failureFields('The parser set @timestamp to a value that is not a time.'));
    return event;
  }

  /** The event as stored. The service's limits truncate events; they never reject them. */
  finish(event: StoredEvent): StoredEvent {
    const rawstring = event['@rawstring']!;
    let units = 0;
    let count = 0;
    for (const name in event) {
      units += name.length + event[name]!.length;
      count++;
    }
    // A UTF-16 code unit has at most three bytes; only large events are measured exactly.
    if (units * 3 > this.maxEventBytes && this.#isTooLarge(event, rawstring)) {
      const reason = `The event is larger than ${this.maxEventBytes} bytes: stored without its fields.`;
      this.#onIncomplete({ excerpt: rawstring, reason, fix: TRUNCATED_FIX });
      return this.#cut(event, rawstring);
    }
    if (count <= MAX_FIELDS + SYSTEM_FIELDS.size) return event;
    const reason = `The event has more than ${MAX_FIELDS} fields: stored without the others.`;
    this.#onIncomplete({ excerpt: rawstring, reason, fix: TRUNCATED_FIX });
    return withFewerFields(event);
  }

  #newId(epochMs: number): string {
    return `${this.#ids.prefix}${this.#ids.built++}_${Math.floor(epochMs / 1000)}`;
  }

  /** Whether the text alone is too large for an event, so parsing it is pointless. */
  isTooLargeText(text: string): boolean {
    return text.length * 3 > this.maxEventBytes && Buffer.byteLength(text) > this.maxEventBytes;
  }

  /** An event with empty values where events of a group differ. */
  #blank({ repository, type, tags }: EventGroup, timezone: string): StoredEvent {
    // `@timestamp` must be first for serialization.
    const event: StoredEvent = {
      '@timestamp': '',
      '@timestamp.nanos': '',
      '@id': '',
      '@ingesttimestamp': String(this.#clock.now()),
      '@timezone': timezone,
      '@rawstring': '',
      '#repo': repository,
      '#type': tags.type ?? type,
    };
    for (const name in tags) putField(event, `#${name}`, tags[name]!);
    return event;
  }

  #isTooLarge(event: StoredEvent, rawstring: string): boolean {
    if (this.isTooLargeText(rawstring)) return true;
    let bytes = 0;
    for (const name in event) {
      if (name !== '@rawstring') bytes += Buffer.byteLength(name) + Buffer.byteLength(event[name]!);
    }
    return bytes > this.maxEventBytes;
  }

  #cut(event: StoredEvent, rawstring: string): StoredEvent {
    const kept: StoredEvent = { '@timestamp': event['@timestamp']! };
    for (const name of SYSTEM_FIELDS) {
      const value = readField(event, name);
      if (value !== undefined) kept[name] = value;
    }
    if (this.isTooLargeText(rawstring)) {
      const room = Math.max(0, this.maxEventBytes - '...'.length);
      // The cut may split a character; the rest of it is removed, too.
      kept['@rawstring'] = `${Buffer.from(rawstring)
        .toString('utf8', 0, room)
        .replace(/\uFFFD$/, '')}...`;
    }
    return kept;
  }
}

export function writeInstant(event: StoredEvent, { epochMs, nanos, timezone }: Instant): void {
  event['@timestamp'] = String(epochMs);
  event['@timestamp.nanos'] = String(nanos);
  event['@timezone'] = timezone;
}

/** Like the service, sorts the fields by name and drops those beyond the limit. */
function withFewerFields(event: StoredEvent): StoredEvent {
  const own = Object.keys(event).filter((name) => !SYSTEM_FIELDS.has(name));
  const system = [...SYSTEM_FIELDS].filter((name) => name in event);
  const kept = [...system, ...own.sort().slice(0, MAX_FIELDS)];
  return Object.fromEntries(kept.map((name) => [name, event[name]!]));
}
