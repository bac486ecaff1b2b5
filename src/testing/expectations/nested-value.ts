import type { LogEvent } from '../../index.ts';

/** The fields that a name stands for: the one of that name, and those of an object or an array of that name. */
export function namesBelow(record: LogEvent, name: string): string[] {
  return Object.keys(record).filter(
    (known) => known === name || known.startsWith(`${name}.`) || known.startsWith(`${name}[`),
  );
}

/**
 * The object or the array of that name, as it was logged; `undefined` when there is none. Where the text of the record is
 * not JSON it is made of the fields, and a text that reads like a number, `true`, `false` or `null` is taken for that.
 */
export function nestedValue(record: LogEvent, name: string): unknown {
  const logged = memberOf(parsed(record['@rawstring']), name);
  if (typeof logged === 'object' && logged !== null) return logged;
  const names = namesBelow(record, name).filter((known) => known !== name);
  if (names.length === 0) return undefined;
  return rebuilt(names.map((known) => [pathOf(known.slice(name.length)), String(record[known])]));
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/** Names may have dots in them, so `a.b.c` may be found below `a` or below `a.b`. */
function memberOf(value: unknown, path: string): unknown {
  if (path === '') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const name = Array.isArray(value) ? `[${key}]` : key;
    const rest = path.slice(name.length);
    if (!path.startsWith(name) || !/^($|\.|\[)/.test(rest)) continue;
    const found = memberOf(member, rest.replace(/^\./, ''));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `.tries[0].ms` as `tries`, `[0]`, `ms`. */
function pathOf(name: string): string[] {
  return name.match(/\[\d+\]|[^.[]+/g) ?? [];
}

type Leaf = readonly [path: readonly string[], text: string];

function rebuilt(leaves: readonly Leaf[]): unknown {
  const members = new Map<string, Leaf[]>();
  for (const [[first, ...rest], text] of leaves) {
    if (first === undefined) return guessed(text);
    members.set(first, [...(members.get(first) ?? []), [rest, text]]);
  }
  const entries = [...members].map(([key, below]) => [key, rebuilt(below)] as const);
  const isList = entries.every(([key]) => key.startsWith('['));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

function guessed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return text !== '' && String(Number(text)) === text ? Number(text) : text;
}
