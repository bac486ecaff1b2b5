import { memberName, membersOf, replaceMembers } from '../../core/json-text.ts';
import { jsonString, safeProperty } from './safe-json.ts';

/** Tags by name. The service stores each as a field whose name starts with `#`. */
export type Tags = Readonly<Record<string, string>>;

/** Maximum number of cached tag sets. Tags are meant for few values. */
export const MAX_CACHED_TAGS = 1_000;

/** Reports a mistake of the caller, once of each kind. */
export type WarnOnce = (kind: 'tags' | 'timestamp' | 'element', message: string) => void;

/** Writes the tags of records as JSON. Equal tags give equal strings, which group the records. */
export class TagWriter {
  readonly #base: ReadonlyMap<string, string>;
  /** Names of the fields whose values become tags. */
  readonly fieldNames: readonly string[];
  /** Tags of a record without its own tags. */
  readonly baseText: string;
  readonly #cache = new Map<string, string>();
  readonly #warn: WarnOnce | undefined;

  constructor(base: Tags, fieldNames: readonly string[], warn?: WarnOnce) {
    this.#warn = warn;
    this.#base = new Map(Object.entries(base));
    this.fieldNames = fieldNames;
    this.baseText = tagsText(this.#base);
  }

  /** The tags of a record with these fields. Never throws. */
  textFor(fields: object | undefined, own?: object): string {
    if (this.fieldNames.length === 0 && own === undefined) return this.baseText;
    try {
      const values = this.fieldNames.map((name) => tagValue(fields, name));
      return own === undefined ? this.#cached(values) : this.#text(values, Object.entries(own).filter(isTag));
    } catch {
      return this.baseText; // A getter or a proxy that throws.
    }
  }

  /** True if a field `#name` would override a tag. */
  has(name: string, own?: object): boolean {
    if (this.#base.has(name) || this.fieldNames.includes(name)) return true;
    return own !== undefined && typeof safeProperty(own, name) === 'string';
  }

  /** The JSON of an event, in which fields that would override a tag are renamed; see {@link renameOverrides}. */
  protect(eventText: string, own?: object): string {
    return renameOverrides(eventText, (name) => this.has(name, own));
  }

  #cached(values: readonly (string | undefined)[]): string {
    const key = values.map((value) => (value === undefined ? '-' : `+${value.length}:${value}`)).join();
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const text = this.#text(values, []);
    if (this.#cache.size >= MAX_CACHED_TAGS) this.#tooMany();
    this.#cache.set(key, text);
    return text;
  }

  #tooMany(): void {
    this.#cache.clear();
    this.#warn?.(
      'tags',
      `More than ${MAX_CACHED_TAGS} different tags were created from tagFields (${this.fieldNames.join(', ')}), which makes searches slow. Use fields with few distinct values, such as level.`,
    );
  }

  #text(values: readonly (string | undefined)[], own: readonly [string, string][]): string {
    const tags = new Map(this.#base);
    for (const [index, value] of values.entries()) {
      if (value !== undefined) tags.set(this.fieldNames[index]!, value);
    }
    for (const [name, value] of own) tags.set(name, value);
    return tagsText(tags);
  }
}

/** The value of a field as a tag. Objects and missing values are not tags. */
function tagValue(fields: object | undefined, name: string): string | undefined {
  if (fields === undefined || fields === null || !Object.hasOwn(fields, name)) return undefined;
  const value = (fields as Record<string, unknown>)[name];
  return /string|number|boolean|bigint/.test(typeof value) ? String(value) : undefined;
}

function isTag(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

function tagsText(tags: ReadonlyMap<string, string>): string {
  const members = [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, value]) => `${jsonString(name)}:${jsonString(value)}`).join(',')}}`;
}

/**
 * Renames attributes that would override a tag on the service: `#service` becomes `_#service` if `service` is a tag. If
 * the event has a field of that name, another underscore is added. Everything else stays unchanged.
 *
 * @param eventText JSON of an event.
 */
function renameOverrides(eventText: string, isTag: (name: string) => boolean): string {
  // Searches for a single character first, which is fastest.
  const hasHashName = (eventText.includes('#') && eventText.includes('"#')) || eventText.includes('\\u0023');
  if (!hasHashName) return eventText;
  return replaceMembers(eventText, 'attributes', (value) =>
    value.startsWith('{') ? renameMembers(value, isTag) : value,
  );
}

function renameMembers(text: string, isTag: (name: string) => boolean): string {
  const members = membersOf(text).map((member) => ({ ...member, name: memberName(member) }));
  const names = new Set(members.map(({ name }) => name));
  let result = '';
  let from = 0;
  for (const { name, nameStart } of members) {
    if (!name.startsWith('#') || !isTag(name.slice(1))) continue;
    let prefix = '_';
    while (names.has(prefix + name)) prefix += '_';
    result += text.slice(from, nameStart + 1) + prefix;
    from = nameStart + 1;
  }
  return result + text.slice(from);
}
