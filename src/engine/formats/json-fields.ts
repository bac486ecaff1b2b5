import { exactText, parseExactJson } from './exact-json.ts';

/** Receives every value of a JSON document, with its path as a field name. Strings are passed without quotes. */
export type JsonSink = (path: string, text: string, kind: 'value' | 'null') => void;

/** Deeper than any event, but safe for the stack. */
const MAX_DEPTH = 200;

/**
 * Reads JSON value by value: `a.b[0].c`. Numbers keep their text.
 *
 * @returns false if the text is not JSON.
 */
export function readJson(text: string, sink: JsonSink): boolean {
  try {
    readValue(parseExactJson(text), '', sink, 0);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function readValue(value: unknown, path: string, sink: JsonSink, depth: number): void {
  if (typeof value === 'string' || typeof value === 'number') sink(path, exactText(value), 'value');
  else if (value === null) sink(path, 'null', 'null');
  else if (typeof value !== 'object') sink(path, String(value), 'value');
  else if (depth >= MAX_DEPTH) throw new SyntaxError('too deep');
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) readValue(item, `${path}[${index}]`, sink, depth + 1);
  } else {
    const members = value as Record<string, unknown>;
    // Twice as fast as `Object.entries`, and safe because parsed objects inherit no enumerable members.
    for (const name in members) {
      readValue(members[name], path === '' ? name : `${path}.${name}`, sink, depth + 1);
    }
  }
}
