import { cutAtWord } from '../../../src/core/cut-at-word.ts';

/** Deeper values are cut; the handler would cut them, too. */
const MAX_DEPTH = 6;
const MAX_VALUES = 500;
/** Maximum total length of strings and names in a record. */
const MAX_CHARACTERS = 10_000;
const CUT = '[Cut]';

const ERROR_MEMBERS = ['name', 'message', 'stack', 'code', 'cause', 'errors'];

type Members = Record<string, unknown>;

/**
 * True for errors of any realm, and for objects of the browser that are none but have their members in the prototype, too,
 * such as `MediaError`.
 */
export function isError(value: unknown): boolean {
  const isKnown = value instanceof Error || /Error|Exception/.test({}.toString.call(value));
  return isKnown || ('stack' in Object(value) && 'message' in Object(value));
}

/** Removes the query string and fragment of URLs, which can contain secrets. A position in a file stays. */
export function withoutQueries(text: unknown): string {
  return String(text).replace(/:\/\/\S+/g, (url) => url.replace(/[?#].*?((:\d+){0,2}[)'",.]{0,3})$/, '$1'));
}

/** A record as JSON of limited size. Errors keep their name, message, stack, cause and own fields. */
export function serialize(record: object): string {
  let values = MAX_VALUES;
  let characters = MAX_CHARACTERS;

  const text = (value: string): string => {
    const kept = cutAtWord(value, characters);
    characters -= kept.length;
    return kept;
  };

  const members = (value: Members, ancestors: readonly object[]): unknown => {
    const own = isError(value) ? ERROR_MEMBERS.filter((name) => name in value) : [];
    const result: Members = {};
    for (const name of new Set([...own, ...Object.keys(value)])) {
      if (values < 0 || characters < 0) break;
      const member = copy(value[name], ancestors);
      result[text(name)] = own.includes(name) && typeof member === 'string' ? withoutQueries(member) : member;
    }
    return result;
  };

  const copy = (value: unknown, ancestors: readonly object[]): unknown => {
    if (values-- < 0 || characters < 0) return CUT;
    if (typeof value === 'string') return text(value);
    if (/number|bigint/.test(typeof value)) return Number.isFinite(value) ? value : String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (ancestors.includes(value)) return '[Circular]';
    if (ancestors.length > MAX_DEPTH) return CUT;
    const inside = [...ancestors, value];
    try {
      const { toJSON } = value as { toJSON?: unknown };
      if (typeof toJSON === 'function') return copy(toJSON.call(value), inside);
      const list = value instanceof Map || value instanceof Set ? [...value] : value;
      if (Array.isArray(list)) return list.slice(0, values + 1).map((item) => copy(item, inside));
      return members(value as Members, inside);
    } catch {
      return '[Throws]';
    }
  };

  return JSON.stringify(copy(record, []));
}
