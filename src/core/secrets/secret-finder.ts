import { tryOr } from '../try-or.ts';
import { type JsonPlace, JsonReplacer } from './json-values.ts';
import { type NamedValue, namedValues } from './named-values.ts';
import { Prefilter } from './prefilter.ts';
import type { ReplaceSecret, SecretName } from './secret.ts';
import { DEFAULT_KINDS, type SecretKind } from './secret-kinds.ts';
import {
  HEADER_NAMES,
  PASSWORD_ENDINGS,
  PASSWORD_NAMES,
  PATTERNS,
  type SecretPattern,
} from './secret-patterns.ts';

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

/** Shorter text is only a secret by its name. */
const MIN_LENGTH = 8;

/** Finds secrets in text and JSON, by the names of fields and by patterns. */
export class SecretFinder {
  /** Kinds of normalized names; `undefined` for keys of the caller. */
  readonly #kinds: ReadonlyMap<string, SecretKind | undefined>;
  readonly #endings: readonly string[];
  readonly #patterns: readonly CustomPattern[];
  readonly replacement: string;
  /** `undefined` if it can't say: patterns of the caller match anything. */
  readonly #prefilter: Prefilter | undefined;
  /** Well-known and other names, by how they are spelled. */
  readonly #names = new Map<string, SecretName | undefined>();

  constructor(options: SecretFinderOptions = {}) {
    const { keys = [], kinds = DEFAULT_KINDS, custom = new Map(), replacement = '[redacted]' } = options;
    this.replacement = replacement;
    const patterns = PATTERNS.filter(({ kind }) => kinds[kind]);
    this.#kinds = new Map<string, SecretKind | undefined>([
      ...(kinds.authorization ? HEADER_NAMES : []).map((name) => [name, 'authorization'] as const),
      ...(kinds.password ? PASSWORD_NAMES : []).map((name) => [name, 'password'] as const),
      ...keys.map((key) => [normalized(key), undefined] as const),
    ]);
    this.#endings = kinds.password ? PASSWORD_ENDINGS : [];
    this.#patterns = [
      ...[...custom].map(([name, { source, flags }]) => {
        return { name, regex: new RegExp(source, `${flags.replaceAll(/[gy]/g, '')}g`) };
      }),
      ...patterns,
    ];
    if (custom.size > 0 || keys.some((key) => /["\\]/.test(key))) return;
    const triggers = patterns.flatMap((pattern) => pattern.triggers);
    this.#prefilter = new Prefilter([...this.#kinds.keys()], this.#endings, triggers, kinds.cardNumber);
  }

  /** False if the bytes, which are JSON in UTF-8, contain no secret. */
  mayFind(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#prefilter?.test(bytes, start, end) ?? true;
  }

  /** Replaces secrets in text. JSON in text is searched field by field. */
  replaceInText(text: string, replace: ReplaceSecret, path = ''): string {
    if (this.#prefilter?.testText(text) === false) return text;
    if (/^\s*["{[]/.test(text) && tryOr(undefined, () => JSON.parse(text)) !== undefined) {
      return this.replaceInJson(text, replace, { path });
    }
    let result = '';
    let from = 0;
    let searchedTo = 0;
    for (const { start: first, end, secret } of this.#spans(text)) {
      const start = Math.max(first, searchedTo);
      if (end <= start) continue; // Empty, or part of another one.
      const replacedEnd = text.startsWith(this.replacement, start) ? start + this.replacement.length : 0;
      searchedTo = Math.max(end, replacedEnd);
      if (end <= replacedEnd) continue;
      const replacement = replace({ ...secret, path, text: text.slice(start, end) });
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
    const name = lastPart(text);
    const spellings = [normalized(text), normalized(name)];
    const known = spellings.find((each) => this.#kinds.has(each));
    if (known !== undefined) return { kind: this.#kinds.get(known), name, isNamed: true };
    const isPassword = this.#endings.some((ending) => spellings.some((each) => each.endsWith(ending)));
    return isPassword ? { kind: 'password', name, isNamed: true } : undefined;
  }

  #spans(text: string): NamedValue[] {
    const spans: NamedValue[] = namedValues(text, (name) => this.nameOf(name));
    for (const { kind, name: title, regex, isSecret } of text.length < MIN_LENGTH ? [] : this.#patterns) {
      for (const match of text.matchAll(regex)) {
        // Patterns of the caller are replaced as a whole.
        const start = match.index + (kind === undefined || isSecret ? 0 : (match[1]?.length ?? 0));
        const end = match.index + match[0].length;
        if (isSecret?.(match[0]) === false) continue;
        const name = typeof title === 'string' ? title : title(match[0]);
        spans.push({ start, end, secret: { kind, name, isNamed: false } });
      }
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

/** `authorization` of `http.request.headers.authorization[0]`, `password` of `user[password]`. */
function lastPart(name: string): string {
  return name.split(/[.[\]]+/).findLast((part) => !/^\d*$/.test(part)) ?? '';
}

/** A name without separators, in lower case. */
export function normalized(name: string): string {
  return name.replaceAll(/[_\-. ]/g, '').toLowerCase();
}
