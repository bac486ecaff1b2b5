import { randomBytes } from 'node:crypto';
import { type JsonMember, membersOf, skipSpace, valueEnd } from '../record/json-text.ts';
import { createRecord, type IngestRecord } from '../record/record.ts';

/** How this package begins an event, up to the first of its attributes. */
const OWN_START = /^\{"timestamp":(?:\d+|"[^"\\]*"),(?:"timezone":"(?:[^"\\]|\\.)*",)?"attributes":\{/;
const OWN_NAMES = /"(?:batchId|seq)"/;

/** Marks records so that the copies of one can be told, should its batch arrive twice. */
export class BatchIds {
  /** Differs from that of every other ingester. */
  readonly #prefix = randomBytes(6).toString('hex');
  #batches = 0;

  /** The id of a new batch. */
  next(): string {
    return `${this.#prefix}-${++this.#batches}`;
  }

  /** @param number the number of the record, which becomes its `seq`. */
  mark(record: IngestRecord, batchId: string, number: number): IngestRecord {
    return withMembers(record, `"batchId":"${batchId}","seq":${number}`);
  }

  /** As {@link mark}, for a record whose batch is not known yet. */
  markAlone(record: IngestRecord, number: number): IngestRecord {
    return this.mark(record, this.#prefix, number);
  }
}

/** What the program itself has put there goes: of two members with one name, nobody says which one counts. */
function withMembers(record: IngestRecord, members: string): IngestRecord {
  const { text, start } = openedAttributes(record.eventText) ?? {};
  if (text === undefined || start === undefined) return record;
  const own = OWN_NAMES.test(text) ? attributesBut(text, start) : text.slice(start);
  const comma = own[skipSpace(own, 0)] === '}' ? '' : ',';
  return createRecord(`${text.slice(0, start)}${members}${comma}${own}`, record.tagsText);
}

/** An event and the place behind the brace that opens its attributes; `undefined` for what the service refuses anyway. */
function openedAttributes(text: string): { text: string; start: number } | undefined {
  const ownStart = OWN_START.exec(text);
  return ownStart === null ? attributesAtEnd(text) : { text, start: ownStart[0].length };
}

/** Of an event from outside, which may be written in any way, or have none. */
function attributesAtEnd(text: string): { text: string; start: number } | undefined {
  if (!isJson(text)) return undefined;
  const members = [...membersOf(text)];
  const isAttributes = ({ name }: JsonMember): boolean => JSON.parse(name) === 'attributes';
  const given = members.findLast(isAttributes)?.value.trim() ?? 'null';
  const value = given === 'null' ? '{}' : given;
  if (!value.startsWith('{')) return undefined;
  const others = members.filter((member) => !isAttributes(member));
  const written = [...others, { name: '"attributes"', value }].map(({ name, value }) => `${name}:${value}`);
  const whole = `{${written.join()}}`;
  return { text: whole, start: whole.length - value.length };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The attributes behind `start` without those that have our names, and what follows. */
function attributesBut(eventText: string, start: number): string {
  const object = start - 1;
  const kept = [...membersOf(eventText.slice(object))].filter(({ name }) => !OWN_NAMES.test(name));
  const rest = eventText.slice(valueEnd(eventText, object));
  return `${kept.map(({ name, value }) => `${name}:${value}`).join()}}${rest}`;
}
