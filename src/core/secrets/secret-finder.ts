import { tryOr } from '../try-or.ts';
import { type JsonPlace, JsonReplacer } from './json-values.ts';
import { CENSORED_JSON, type NamedValue, namedValues } from './named-values.ts';
import { Prefilter } from './prefilter.ts';
import type { ReplaceSecret, SecretName } from './secret.ts';
import { DEFAULT_KINDS, REDACTED, type SecretKind } from './secret-kinds.ts';
import {
  HEADER_NAMES,
  KEPT_TOKENS,
  nameGates,
  PASSWORD_ENDINGS,
  PATTERNS,
  type SecretPattern,
} from './secret-table.ts';

export interface SecretFinderOptions {
  /** Names of fields whose values are secret, in addition to the well-known ones. */
  readonly keys?: readonly string[];
  readonly kinds?: Readonly<Record<SecretKind, boolean>>;
  /** Further patterns, by name. */
  readonly custom?: ReadonlyMap<string, RegExp>;
  /** Text that replaces secrets, which is found again in redacted text and must stay unchanged. */
  readonly replacement?: string;
}

type CustomPattern = Pick<SecretPattern, 'name' | 'regex' | 'isSecret'> & { readonly kind?: SecretKind };

const PASSWORD_END = new RegExp(`(?:${PASSWORD_ENDINGS.join('|')})\\d*$`);
const KEPT_TOKEN = new RegExp(`(?:${KEPT_TOKENS.join('|')})token$`);
/** What the gates of names open for. */
const NAMES = 'names';

/** Finds secrets in text and JSON, by the names of fields and by patterns. */
export class SecretFinder {
  /** Kinds of normalized names; `undefined` for keys of the caller. */
  readonly #kinds: ReadonlyMap<string, SecretKind | undefined>;
  readonly #hasPasswords: boolean;
  readonly #patterns: readonly CustomPattern[];
  readonly replacement: string;
  /** `undefined` if it can't say: patterns of the caller match anything. */
  readonly #prefilter: Prefilter<CustomPattern | typeof NAMES> | undefined;
  /** Well-known and other names, by how they are spelled. */
  readonly #names = new Map<string, SecretName | undefined>();

  constructor(options: SecretFinderOptions = {}) {
    const { keys = [], kinds = DEFAULT_KINDS, custom = new Map(), replacement = REDACTED } = options;
    this.replacement = replacement;
    const patterns = PATTERNS.filter(({ kind }) => kinds[kind]);
    this.#kinds = new Map<string, SecretKind | undefined>([
      ...(kinds.authorization ? HEADER_NAMES : []).map((name) => [name, 'authorization'] as const),
      ...keys.map((key) => [normalized(key), undefined] as const),
    ]);
    this.#hasPasswords = kinds.password;
    this.#patterns = [
      ...[...custom].map(([name, { source, flags }]) => {
        return { name, regex: new RegExp(source, `${flags.replaceAll(/[gy]/g, '')}g`) };
      }),
      ...patterns,
    ];
    if (custom.size > 0 || keys.some((key) => /["\\]/.test(key))) return;
    const gates = nameGates([...this.#kinds.keys()], kinds.password ? PASSWORD_ENDINGS : []);
    this.#prefilter = new Prefilter<CustomPattern | typeof NAMES>([
      [NAMES, gates],
      ...patterns.map((pattern) => [pattern, pattern.gates] as const),
    ]);
  }

  /** False if the bytes, which are JSON in UTF-8, contain no secret. */
  mayFind(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#prefilter?.test(bytes, start, end) ?? true;
  }

  /** Replaces secrets in text. JSON in text is searched field by field. */
  replaceInText(text: string, replace: ReplaceSecret, path = ''): string {
    const found = this.#prefilter?.find(text);
    if (found?.size === 0) return text;
    if (/^\s*["{[]/.test(text) && tryOr(undefined, () => JSON.parse(text)) !== undefined) {
      const replaceInString: ReplaceSecret = (secret) => replace({ ...secret, jsonPath: path });
      return this.replaceInJson(text, path === '' ? replace : replaceInString, { path });
    }
    let result = '';
    let from = 0;
    let searchedTo = 0;
    for (const { start: first, end, secret } of this.#spans(text, found)) {
      const start = Math.max(first, searchedTo);
      if (end <= start) continue; // Empty, or part of another one.
      const replacedEnd = text.startsWith(this.replacement, start) ? start + this.replacement.length : 0;
      searchedTo = Math.max(end, replacedEnd);
      if (end <= replacedEnd) continue;
      const replacement = replace({ ...secret, path, text: text.slice(start, end), at: start });
      if (replacement === undefined) continue;
      result += text.slice(from, start) + replacement;
      from = end;
    }
    return result + text.slice(from);
  }

  /** Replaces secrets in valid JSON. Everything else stays unchanged, including digits and whitespace. */
  replaceInJson(json: string, replace: ReplaceSecret, place: JsonPlace = {}): string {
    return new JsonReplacer(json, this, replace).run(place);
  }

  /** @returns `undefined` unless the values of fields with this name are secret. */
  nameOf(name: string): SecretName | undefined {
    if (!this.#names.has(name)) {
      if (this.#names.size >= 10_000) this.#names.clear();
      this.#names.set(name, this.#secretName(name));
    }
    return this.#names.get(name);
  }

  #secretName(text: string): SecretName | undefined {
    // `authorization` of `http.request.headers.authorization[0]`, `password` of `user[password]`.
    const name = text.split(/[.[\]]+/).findLast((part) => !/^\d*$/.test(part)) ?? '';
    const spellings = [text, name, text.slice(text.lastIndexOf(' ') + 1)].map(normalized);
    const known = spellings.find((each) => this.#kinds.has(each));
    if (known !== undefined) return { kind: this.#kinds.get(known), name, isNamed: true };
    const isPassword = spellings.some((each) => PASSWORD_END.test(each)) && !KEPT_TOKEN.test(spellings[1]!);
    return this.#hasPasswords && isPassword ? { kind: 'password', name, isNamed: true } : undefined;
  }

  /** @param found what to search for; `undefined` for everything. */
  #spans(
    text: string,
    found: Iterable<CustomPattern | typeof NAMES> = [NAMES, ...this.#patterns],
  ): NamedValue[] {
    const spans: NamedValue[] = [];
    for (const pattern of found) {
      if (pattern === NAMES) spans.push(...namedValues(text, (name) => this.nameOf(name)));
      else spans.push(...patternSpans(text, pattern));
    }
    // The password in a URL and the host behind it look like an e-mail address.
    const inUrls = spans.filter(({ secret }) => secret.kind === 'connectionString');
    let next = 0;
    return spans
      .filter(({ start, end, secret }) => {
        if (secret.kind !== 'email') return true;
        while (next < inUrls.length && inUrls[next]!.end <= start) next++;
        return next === inUrls.length || inUrls[next]!.start >= end;
      })
      .sort((a, b) => a.start - b.start || b.end - a.end);
  }
}

const compiled = new WeakMap<CustomPattern, RegExp>();

function* patternSpans(text: string, pattern: CustomPattern): Iterable<NamedValue> {
  const { kind, name, regex: source, isSecret } = pattern;
  // Most programs never need most patterns.
  const regex = compiled.get(pattern) ?? (typeof source === 'string' ? new RegExp(source, 'g') : source);
  compiled.set(pattern, regex);
  for (const match of text.matchAll(regex)) {
    const [whole, before = ''] = match;
    if (isSecret?.(whole) === false) continue;
    // Patterns of the caller are replaced as a whole.
    const start = match.index + (kind !== undefined && whole.startsWith(before) ? before.length : 0);
    if (kind !== undefined && CENSORED_JSON.test(`"${whole.slice(start - match.index)}"`)) continue;
    yield { start, end: match.index + whole.length, secret: { kind, name, isNamed: false } };
  }
}

/** A name without separators, in lower case. */
export function normalized(name: string): string {
  return name.replaceAll(/[_\-. ]/g, '').toLowerCase();
}
