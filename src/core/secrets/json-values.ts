import { nextItem, skipSpace, stringEnd, valueEnd, valueStart } from '../json-text.ts';
import { CENSORED_JSON, isNoSecret, isReference } from './named-values.ts';
import type { NameOf, ReplaceSecret } from './secret.ts';

interface SecretSearch {
  readonly nameOf: NameOf;
  readonly replacement: string;
  replaceInText(text: string, replace: ReplaceSecret, path: string): string;
}

export interface JsonPlace {
  /** Path of the JSON itself. */
  readonly path?: string;
  /** The outermost names are not names of fields, and its time is none of the values. */
  readonly isEvent?: boolean;
}

/** Numbers with fewer digits are no secrets. */
const MIN_DIGITS = 12;

/** Replaces secrets in valid JSON. */
export class JsonReplacer {
  readonly #json: string;
  readonly #finder: SecretSearch;
  readonly #replace: ReplaceSecret;
  /** Replaced ranges by their start. A later one of the same start counts. */
  readonly #replaced = new Map<number, readonly [end: number, text: string]>();

  constructor(json: string, finder: SecretSearch, replace: ReplaceSecret) {
    this.#json = json;
    this.#finder = finder;
    this.#replace = replace;
  }

  run({ path = '', isEvent = false }: JsonPlace): string {
    this.#value(skipSpace(this.#json, 0), path, { isEvent });
    let result = '';
    let from = 0;
    for (const [start, [end, text]] of [...this.#replaced].sort(([a], [b]) => a - b)) {
      if (start < from) continue; // Part of a value that is replaced as a whole.
      result += this.#json.slice(from, start) + JSON.stringify(text);
      from = end;
    }
    return result + this.#json.slice(from);
  }

  /** @returns the index after the value at `at`. */
  #value(at: number, path: string, { isEvent = false, isItem = false } = {}): number {
    const first = this.#json[at];
    if (first === '{') return this.#members(at, path, isEvent);
    if (first === '[') return this.#items(at, path, isItem);
    const end = this.#valueEnd(at);
    if (first === '"' || end - at >= MIN_DIGITS) this.#text(at, end, path);
    return end;
  }

  /** Replaces secrets in the text of a string or a number. */
  #text(at: number, end: number, path: string): void {
    const text = decoded(this.#json.slice(at, end));
    const replaced = this.#finder.replaceInText(text, this.#replace, path);
    if (replaced !== text) this.#replaced.set(at, [end, replaced]);
  }

  #members(start: number, path: string, isEvent: boolean): number {
    const json = this.#json;
    let pairName = '';
    let pairValue: [at: number, path: string, end: number] | undefined;
    let at = skipSpace(json, start + 1);
    while (json[at] !== '}') {
      const nameEnd = stringEnd(json, at);
      const name = decoded(json.slice(at, nameEnd));
      if (!isEvent && this.#finder.nameOf(name) === undefined) this.#text(at, nameEnd, path);
      const valueAt = valueStart(json, nameEnd);
      const valuePath = isEvent ? path : path === '' ? name : `${path}.${name}`;
      const isPairValue = /^value$/i.test(name);
      const end =
        this.#replaceNamed(isPairValue ? pairName : '', valueAt, valuePath) ??
        (isEvent ? undefined : this.#replaceNamed(name, valueAt, valuePath)) ??
        (isEvent && name === 'timestamp' ? this.#valueEnd(valueAt) : this.#value(valueAt, valuePath));
      if (isPairValue) pairValue = [valueAt, valuePath, end];
      if (PAIR_NAME.test(name) && json[valueAt] === '"' && this.#finder.nameOf(pairName) === undefined) {
        pairName = decoded(json.slice(valueAt, end));
        if (pairValue) this.#replaceNamed(pairName, ...pairValue);
      }
      at = nextItem(json, end);
    }
    return at + 1;
  }

  #items(start: number, path: string, isItem: boolean): number {
    const json = this.#json;
    const isRaw = /rawHeaders$/i.test(path);
    let header = '';
    let at = skipSpace(json, start + 1);
    for (let index = 0; json[at] !== ']'; index++) {
      const itemPath = `${path}[${index}]`;
      const isValue = json[at] === '"' || json[at] === '[';
      const end =
        this.#replaceNamed(isValue ? header : '', at, itemPath) ??
        this.#value(at, itemPath, { isItem: true });
      const text = json[at] === '"' && header === '' ? decoded(json.slice(at, end)) : '';
      at = nextItem(json, end);
      const kind = this.#finder.nameOf(text)?.kind;
      // A string, and the last item.
      const isPair =
        isItem && index === 0 && json[at] === '"' && json[skipSpace(json, stringEnd(json, at))] === ']';
      const isName = kind === 'authorization' || isPair || text.startsWith('-') || (isRaw && index % 2 === 0);
      header = isName ? text : '';
    }
    return at + 1;
  }

  /** @returns the index after the value at `at`; `undefined` if it isn't replaced. */
  #replaceNamed(name: string, at: number, path: string, knownEnd?: number): number | undefined {
    const secret = this.#finder.nameOf(name);
    // Finding the end of every value would take quadratic time in deep JSON.
    if (secret === undefined) return undefined;
    const end = knownEnd ?? this.#valueEnd(at);
    const text = this.#json.slice(at, end);
    // Unless the caller says so, these are no secrets.
    const isPlain = NO_SECRET.test(text) || isNoSecret(name, this.#json, at + 1) || isReference(text);
    if (secret.kind !== undefined && isPlain) return undefined;
    if (text === JSON.stringify(this.#finder.replacement) || CENSORED_JSON.test(text)) return end;
    const replacement = this.#replace({ ...secret, path, text });
    if (replacement !== undefined) this.#replaced.set(at, [end, replacement]);
    return replacement === undefined ? undefined : end;
  }

  #valueEnd(at: number): number {
    if ('{["'.includes(this.#json[at]!)) return valueEnd(this.#json, at);
    LITERAL.lastIndex = at;
    LITERAL.test(this.#json);
    return LITERAL.lastIndex;
  }
}

const PAIR_NAME = /^(?:name|key)$/i;
/** As in `hasPassword: true`, `password: ""` and `fetch(url, { credentials: 'include' })`. */
const NO_SECRET = /^(?:"?(?:true|false|null)"?|"(?:include|omit|same-origin)?"|\{\}|\[\])$/;
const LITERAL = /[^\s,\]}]+/y;

function decoded(literal: string): string {
  if (literal.includes('\\')) return JSON.parse(literal);
  return literal.startsWith('"') ? literal.slice(1, -1) : literal;
}
