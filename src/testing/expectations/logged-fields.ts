import { tryOr } from '../../core/try-or.ts';
import type { LogEvent } from '../../index.ts';

/** The fields for a name: the field itself, and those of an object or array with that name. */
export function namesBelow(record: LogEvent, name: string): string[] {
  return Object.keys(record).filter(
    (known) => known === name || known.startsWith(`${name}.`) || known.startsWith(`${name}[`),
  );
}

/** A record as it was logged: numbers (strings if a number would round them), booleans and nested objects, then the fields of the service (`@…`, `#…`). */
export interface LoggedRecord {
  /** Epoch milliseconds. */
  readonly '@timestamp'?: number;
  readonly [field: string]: unknown;
}

/** Fields that differ between runs. */
const VOLATILE = ['time', 'timestamp', 'pid', 'hostname'];
/** Lines of a stack trace in other text, such as a printed error. */
const FRAMES = /\n {4,}(?:at |\.{3} \d+ ).*?(?=(?: \{)?$)/gm;
/** Strings, and integers that `JSON.parse` may round. */
const LONG_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\w.+-])-?\d{16,}(?![\w.])/g;

const OF_SERVICE = /^[@#]/;

export function loggedRecord(event: LogEvent): LoggedRecord {
  const service = Object.entries(event).filter(([name]) => OF_SERVICE.test(name));
  return { ...loggedFields(event), ...Object.fromEntries(service) };
}

/**
 * The logged fields that are the same in each run: without times, process, host, stack frames and fields of the
 * service.
 */
export function snapshotOf(event: LogEvent): LoggedRecord {
  const fields = Object.entries(loggedFields(event));
  const stable = Object.fromEntries(fields.filter(([name]) => !VOLATILE.includes(name)));
  return JSON.parse(JSON.stringify(stable), (name, value) =>
    typeof value === 'string' ? value.replace(name === 'stack' ? /\n +at .*/s : FRAMES, '') : value,
  );
}

/** The value with that name, as logged; `undefined` if there is none. */
export function loggedValue(record: LogEvent, name: string): unknown {
  return memberOf(loggedFields(record), name);
}

/** The error that a field would be a part of, if the record has it as an empty object. */
export function lostError(record: LogEvent, name: string): string | undefined {
  const error = /^err(?:or)?(?=\.|$)|^.+(?=\.(?:message|stack)$)/.exec(name)?.[0];
  return error !== undefined && JSON.stringify(loggedValue(record, error)) === '{}' ? error : undefined;
}

/** Parses the text of a record. If it is not JSON, as in rows of aggregates, returns the flat fields. */
function loggedFields(event: LogEvent): object {
  const { '@id': id, '@rawstring': text } = event;
  const isKept = (part: string) => part[0] === '"' || String(Number(part)) === part;
  const exact = String(text).replace(LONG_NUMBER, (part) => (isKept(part) ? part : `"${part}"`));
  const logged = id === undefined ? undefined : tryOr(undefined, () => JSON.parse(exact));
  if (typeof logged === 'object' && logged !== null && !Array.isArray(logged)) return logged;
  return Object.fromEntries(Object.entries(event).filter(([name]) => !OF_SERVICE.test(name)));
}

/** Names may contain dots, so `a.b.c` may be a member of `a` or of `a.b`. */
function memberOf(value: unknown, path: string): unknown {
  if (path === '') return value;
  for (const [key, member] of typeof value === 'string' ? [] : Object.entries(value ?? {})) {
    const name = Array.isArray(value) ? `[${key}]` : key;
    const rest = path.slice(name.length);
    if (!path.startsWith(name) || !/^($|\.|\[)/.test(rest)) continue;
    const inner = memberOf(member, rest.replace(/^\./, ''));
    if (inner !== undefined) return inner;
  }
  return undefined;
}
