import { isJsonObject } from '../../core/json-object.ts';
import { invalid } from '../registries/resource-error.ts';
import type { LookupTable } from './lookup-table.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** In an object of objects, the keys form a column without a name. */
const KEY_COLUMN = '';

/**
 * Parses a JSON lookup file: an array of flat objects, or an object of flat objects. Like the service, ignores members
 * that are objects or arrays.
 *
 * @throws ResourceError for any other content.
 */
export function readJson(text: string): LookupTable {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw invalid(`The file is not JSON: ${(error as Error).message}`);
  }
  if (Array.isArray(content))
    return table(content.map((entry, index) => [requireObject(entry, index), undefined]));
  const entries = Object.entries(requireObject(content, undefined));
  return table(entries.map(([key, entry]) => [requireObject(entry, key), key]));
}

function requireObject(value: unknown, place: number | string | undefined): JsonObject {
  if (isJsonObject(value)) return value as JsonObject;
  const what = place === undefined ? 'The content' : `Entry ${JSON.stringify(place)}`;
  throw invalid(`${what} must be an object: a JSON lookup file contains objects of plain values.`);
}

function table(entries: readonly (readonly [JsonObject, string | undefined])[]): LookupTable {
  const columns = new Set<string>();
  for (const [entry, key] of entries) {
    if (key !== undefined) columns.add(KEY_COLUMN);
    for (const [name, value] of Object.entries(entry)) if (isPlain(value)) columns.add(name);
  }
  const headers = [...columns];
  const rows = entries.map(([entry, key]) =>
    headers.map((name) => (name === KEY_COLUMN && key !== undefined ? key : cell(entry, name))),
  );
  return { headers, rows };
}

function cell(entry: JsonObject, name: string): string {
  const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
  return value !== null && value !== undefined && isPlain(value) ? String(value) : '';
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
