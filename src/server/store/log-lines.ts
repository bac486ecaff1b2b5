import { countText } from '../../core/count-text.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { tryOr } from '../../core/try-or.ts';
import type { EventBatch, EventIds, KeptRequest } from './event-batch.ts';
import { RowBatch } from './row-batch.ts';
import type { StoredEvent } from './stored-event.ts';

/** A batch stays in memory until its last event is dropped. */
const EVENTS_PER_BATCH = 4096;
const NEWLINE = 10;
/** Start of a request's line; an event's line starts with its `@timestamp`. */
const REQUEST = '{"events":';
/** Precedes the text of a request. In a string, the quotes would be escaped. */
const TEXT = ',"text":[';

/** Reads the events of a request again. @returns `undefined` if the text is damaged */
export type ReadRequest = (request: KeptRequest) => EventBatch | undefined;

export interface LoggedEvents {
  readonly batches: readonly EventBatch[];
  /** The damaged lines. */
  readonly damaged: readonly string[];
}

/** How many events lines have, also damaged ones: a request starts with its number of events. */
export function eventsIn(lines: readonly string[]): string {
  const starts = lines.map((line) => /^\{"(?:events":(\d+),|@timestamp")/.exec(line));
  const events = starts.reduce((sum, start) => sum + Number(start?.[1] ?? 1), 0);
  return `${starts.includes(null) ? 'at least ' : ''}${countText(events, 'event')}`;
}

/** A batch as lines of JSON: the original request on one line, or one line per event. */
export function linesOf(batch: EventBatch): string {
  const { request } = batch;
  if (request !== undefined) return requestLine(batch.length, request);
  let text = '';
  for (let index = 0; index < batch.length; index++) text += `${JSON.stringify(batch.rowAt(index))}\n`;
  return text;
}

function requestLine(events: number, { text, ids, templates }: KeptRequest): string {
  // `envelopes` is the name in files of earlier versions.
  const head = JSON.stringify({ events, ids, envelopes: templates });
  // JSON values can't contain newlines.
  return `${head.slice(0, -1)},"text":${text.replaceAll('\n', ' ')}}\n`;
}

export function readLines(content: Buffer, readRequest: ReadRequest): LoggedEvents {
  const batches: EventBatch[] = [];
  let rows: StoredEvent[] = [];
  const damaged: string[] = [];
  const endRows = (): void => {
    if (rows.length > 0) batches.push(new RowBatch(rows));
    rows = [];
  };
  for (const [start, end] of linesIn(content)) {
    if (start === end) continue;
    const line = content.toString('utf8', start, end);
    const isRequest = line.startsWith(REQUEST);
    const batch = isRequest ? parseRequest(line, readRequest) : undefined;
    const event = isRequest ? undefined : parseEvent(line);
    if (isRequest || rows.length === EVENTS_PER_BATCH) endRows();
    if (batch !== undefined) batches.push(batch);
    else if (event !== undefined) rows.push(event);
    else damaged.push(line);
  }
  endRows();
  return { batches, damaged };
}

function* linesIn(content: Buffer): Generator<readonly [start: number, end: number]> {
  let start = 0;
  for (let end = content.indexOf(NEWLINE); end !== -1; end = content.indexOf(NEWLINE, start)) {
    yield [start, end];
    start = end + 1;
  }
}

function parseRequest(line: string, readRequest: ReadRequest): EventBatch | undefined {
  const at = line.indexOf(TEXT);
  const head = at === -1 ? undefined : parseObject(`${line.slice(0, at)}}`);
  if (!isRequestHead(head)) return undefined;
  const text = line.slice(at + TEXT.length - 1, -1);
  const batch = readRequest({ text, ids: head.ids, templates: head.envelopes });
  return batch?.length === head.events ? batch : undefined;
}

interface RequestHead {
  readonly events: number;
  readonly ids: EventIds;
  readonly envelopes: readonly StoredEvent[];
}

function isRequestHead(head: object | undefined): head is RequestHead {
  const { ids, envelopes } = (head ?? {}) as Partial<RequestHead>;
  if (typeof ids?.prefix !== 'string' || !Number.isSafeInteger(ids.first)) return false;
  return Array.isArray(envelopes) && envelopes.every(isEvent);
}

function parseEvent(line: string): StoredEvent | undefined {
  const value = parseObject(line);
  return isEvent(value) && /^\d+$/.test(value['@timestamp'] ?? '') ? value : undefined;
}

function isEvent(value: unknown): value is StoredEvent {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((field) => typeof field === 'string');
}

function parseObject(text: string): object | undefined {
  const value: unknown = tryOr(undefined, () => JSON.parse(text));
  return isJsonObject(value) ? value : undefined;
}
