import { isJsonObject } from '../../core/json-object.ts';
import { parseExactJson, renderExactJson, setField } from '../../engine/index.ts';
import { malformed, orMalformed } from '../http/http-error.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { flattenInto, putField } from './flatten.ts';
import { timeOf } from './json-line.ts';
import { type Members, requireObject } from './request-shape.ts';
import { type IngestTarget, parsedEvents } from './structured-events.ts';

export interface BulkItem {
  readonly action: string;
  readonly index: string | undefined;
  /** ID from the client; by default, that of the event. */
  readonly id: string | undefined;
  /** Why it was rejected; `undefined` if it was not. */
  readonly problem: string | undefined;
  /** The rejected document. */
  readonly document?: string | undefined;
}

export interface BulkOptions {
  readonly index: string | undefined;
  /** Called for each action, in order. */
  readonly onItem: (item: BulkItem) => void;
}

type Action = Pick<BulkItem, 'action' | 'index' | 'id'>;

/** All but `delete` have a document on a line of its own. */
const ACTIONS = ['index', 'create', 'update', 'delete'];
const NOT_NEW = 'this server only accepts new documents: index and create.';

/**
 * The events of each action of an Elasticsearch bulk request: alternating lines of JSON, an action and its document. An invalid
 * document is rejected alone, as in Elasticsearch.
 *
 * @throws HttpError 400 for any other body; then nothing is stored.
 */
export function* bulkEvents(
  text: string,
  target: IngestTarget,
  options: BulkOptions,
): Generator<readonly StoredEvent[]> {
  const lines = numberedLines(text);
  for (const { line, number } of lines) {
    const action = actionOf(line, number, options.index);
    const { action: name, id } = action;
    const next = name === 'delete' ? undefined : lines.next();
    if (next?.done === true) throw malformed(`The action in line ${number} has no document.`);
    const document = name === 'update' ? undefined : next?.value.line;
    const events = document === undefined ? NOT_NEW : documentEvents(document, action, target);
    if (typeof events === 'string') {
      options.onItem({ ...action, problem: events, document });
      yield [];
      continue;
    }
    yield events;
    options.onItem({ ...action, id: id ?? events[0]?.['@id'], problem: undefined });
  }
}

/** The lines that are not empty, numbered from 1. */
function* numberedLines(
  text: string,
): Generator<{ readonly line: string; readonly number: number }, undefined> {
  let number = 0;
  for (const [written] of text.matchAll(/[^\n]*\n?/g)) {
    const line = written.trim();
    number++;
    if (line !== '') yield { line, number };
  }
}

function actionOf(line: string, number: number, defaultIndex: string | undefined): Action {
  const value: unknown = orMalformed(
    () => JSON.parse(line),
    (message) => `line ${number}: ${message}`,
  );
  // Some shippers add other members to the action.
  const name = Object.keys(requireObject(value, `line ${number}`)).find((key) => ACTIONS.includes(key));
  if (name === undefined) {
    throw malformed(`line ${number} must be an action: {"index": {…}} or {"create": {…}}.`);
  }
  const details = requireObject((value as Members)[name] ?? {}, `line ${number}.${name}`);
  return { action: name, index: textOf(details._index) ?? defaultIndex, id: textOf(details._id) };
}

/** @returns a string that says why the document is not a valid event. */
function documentEvents(
  line: string,
  { index, id }: Action,
  target: IngestTarget,
): readonly StoredEvent[] | string {
  const { repository, parser, builder } = target;
  const document = parseDocument(line);
  if (typeof document === 'string') return document;
  const instant = timeOf(document);
  if (instant === undefined) {
    return 'the document must have a "@timestamp": an ISO 8601 string with an offset, or epoch milliseconds.';
  }
  const { '@tags': tagNames, ...members } = document;
  const fields: StoredEvent = {};
  try {
    flattenInto(fields, members);
    // Not a field of the event, but part of its text.
    flattenInto({}, { '@tags': tagNames });
  } catch (error) {
    if (error instanceof RangeError) return `the document is ${error.message}.`;
    throw error;
  }
  const tags = takeTags(fields, tagNames);
  const event = builder.begin({ repository, instant, rawstring: '', type: parser ?? 'none', tags });
  for (const name in fields) putField(event, name, fields[name]!);
  if (index !== undefined) putField(event, '_index', index);
  if (id !== undefined) putField(event, '_id', id);
  event['@rawstring'] = renderExactJson(document);
  return parsedEvents(parser, event, target, true);
}

function parseDocument(line: string): Members | string {
  try {
    const document = parseExactJson(line);
    if (isJsonObject(document)) return document as Members;
    return 'the document must be a JSON object.';
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError)
      return `the document is not JSON. ${error.message}`;
    throw error;
  }
}

/** `@tags` lists the fields to store as tags. */
function takeTags(fields: StoredEvent, names: unknown): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const name of Array.isArray(names) ? names : []) {
    if (typeof name !== 'string' || !Object.hasOwn(fields, name)) continue;
    setField(tags, name, fields[name]!);
    delete fields[name];
  }
  return tags;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
