import { replaceInJson } from './json-values.ts';
import { namedValues } from './named-values.ts';
import { Prefilter } from './prefilter.ts';
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
}

/** A secret that was found. */
export interface Secret {
  /** `undefined` for keys and patterns of the caller. */
  readonly kind: SecretKind | undefined;
  /** For people: `GitHub token`, or the name of the field. */
  readonly name: string;
  /** Whether the name of the field shows it, and not the value itself. */
  readonly isNamed: boolean;
  /** Path of the field, such as `req.headers.authorization`; empty for text. */
  readonly path: string;
  readonly text: string;
}

/** Returns what replaces a secret, or `undefined` to keep it. */
export type ReplaceSecret = (secret: Secret) => string | undefined;

interface Span {
  readonly start: number;
  readonly end: number;
  readonly secret: Omit<Secret, 'path' | 'text'>;
}

type CustomPattern = Pick<SecretPattern, 'name' | 'regex' | 'isSecret'> & { readonly kind?: SecretKind };

/** Shorter text is only a secret by its name. */
const MIN_LENGTH = 8;

/** Finds secrets in text and JSON, by the names of fields and by patterns. */
export class SecretFinder {
  readonly #keys: ReadonlySet<string>;
  readonly #kinds: Readonly<Record<SecretKind, boolean>>;
  readonly #patterns: readonly CustomPattern[];
  /** `undefined` if it can't say: patterns of the caller match anything. */
  readonly #prefilter: Prefilter | undefined;
  /** Well-known and other names, by how they are spelled. */
  readonly #names = new Map<string, Omit<Secret, 'path' | 'text'> | undefined>();

  constructor({ keys = [], kinds = DEFAULT_KINDS, custom = new Map() }: SecretFinderOptions = {}) {
    const patterns = PATTERNS.filter(({ kind }) => kinds[kind]);
    this.#keys = new Set(keys.map(normalized));
    this.#kinds = kinds;
    this.#patterns = [
      ...[...custom].map(([name, { source, flags }]) => {
        return { name, regex: new RegExp(source, `${flags.replaceAll(/[gy]/g, '')}g`) };
      }),
      ...patterns,
    ];
    if (custom.size > 0) return;
    const names = [
      ...this.#keys,
      ...(kinds.authorization ? HEADER_NAMES : []),
      ...(kinds.password ? PASSWORD_NAMES : []),
    ];
    const endings = kinds.password ? PASSWORD_ENDINGS : [];
    const triggers = patterns.flatMap((pattern) => pattern.triggers);
    this.#prefilter = new Prefilter(names, endings, triggers, kinds.cardNumber);
  }

  /** False if the bytes, which are JSON in UTF-8, contain no secret. */
  mayFind(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#prefilter?.test(bytes, start, end) ?? true;
  }

  /** Replaces secrets in text. Text that is a JSON object or array is searched field by field. */
  replaceInText(text: string, replace: ReplaceSecret, path = ''): string {
    if (this.#prefilter?.testText(text) === false) return text;
    if (/^\s*[{[]/.test(text)) {
      const json = unlessInvalid(() => this.replaceInJson(text, replace, { path }));
      if (json !== undefined) return json;
    }
    let result = '';
    let from = 0;
    let searchedTo = 0;
    for (const { start: first, end, secret } of this.#spans(text)) {
      if (end <= searchedTo) continue; // Part of another one.
      const start = Math.max(first, searchedTo);
      searchedTo = end;
      const replacement = replace({ ...secret, path, text: text.slice(start, end) });
      if (replacement === undefined) continue;
      result += text.slice(from, start) + replacement;
      from = end;
    }
    return result + text.slice(from);
  }

  /**
   * Replaces secrets in JSON. Everything else stays unchanged, including digits and whitespace.
   *
   * @param place.path path of the JSON.
   * @param place.isEvent the outermost names are not names of fields.
   * @throws SyntaxError if it is not JSON.
   */
  replaceInJson(
    json: string,
    replace: ReplaceSecret,
    { path = '', isEvent = false }: { readonly path?: string; readonly isEvent?: boolean } = {},
  ): string {
    JSON.parse(json);
    return replaceInJson(json, {
      path,
      isEvent,
      text: (text, at) => this.replaceInText(text, replace, at),
      isHeader: (value) => this.#nameOf(value)?.kind === 'authorization',
      memberName: (name, at) =>
        this.#nameOf(name) === undefined ? this.replaceInText(name, replace, at) : name,
      isNamed: (name) => this.#nameOf(name) !== undefined,
      named: (name, text, at) => {
        const secret = this.#named(name, text);
        return secret && replace({ ...secret, path: at, text });
      },
    });
  }

  /** @param value JSON of the value. */
  #named(name: string, value: string): Omit<Secret, 'path' | 'text'> | undefined {
    const secret = this.#nameOf(name);
    // `hasPassword: true` and `password: ""` are no secrets, unless the caller says so.
    return secret?.kind !== undefined && /^(?:"?(?:true|false|null)"?|""|\{\}|\[\])$/.test(value)
      ? undefined
      : secret;
  }

  #nameOf(name: string): Omit<Secret, 'path' | 'text'> | undefined {
    if (this.#names.has(name)) return this.#names.get(name);
    const kind = this.#kindOfName(name);
    const secret =
      kind === undefined ? undefined : { kind: kind || undefined, name: lastPart(name), isNamed: true };
    if (this.#names.size >= 10_000) this.#names.clear();
    this.#names.set(name, secret);
    return secret;
  }

  /** @returns an empty string for keys of the caller. */
  #kindOfName(name: string): SecretKind | '' | undefined {
    const last = lastPart(name);
    const spellings = [normalized(name), normalized(last)];
    const isOneOf = (names: readonly string[]): boolean => spellings.some((each) => names.includes(each));
    if (spellings.some((each) => this.#keys.has(each))) return '';
    if (this.#kinds.authorization && isOneOf(HEADER_NAMES)) return 'authorization';
    if (!this.#kinds.password) return undefined;
    const isPassword = PASSWORD_ENDINGS.some((ending) => spellings[1]!.endsWith(ending));
    return isPassword || isOneOf(PASSWORD_NAMES) ? 'password' : undefined;
  }

  #spans(text: string): Span[] {
    const spans = namedValues(
      text,
      (name) => this.#nameOf(name) !== undefined,
      (name) => this.#nameOf(name)?.kind === 'authorization',
    ).map(({ name, start, end }): Span => ({ start, end, secret: this.#nameOf(name)! }));
    for (const { kind, name: title, regex, isSecret } of text.length < MIN_LENGTH ? [] : this.#patterns) {
      for (const match of text.matchAll(regex)) {
        // Patterns of the caller are replaced as a whole.
        const start = match.index + (kind === undefined || isSecret ? 0 : (match[1]?.length ?? 0));
        const end = match.index + match[0].length;
        if (end === start || isSecret?.(match[0]) === false) continue;
        const name = typeof title === 'string' ? title : title(match[0]);
        spans.push({ start, end, secret: { kind, name, isNamed: false } });
      }
    }
    // The password in a URL and the host behind it look like an e-mail address.
    const inUrls = spans.filter(({ secret }) => secret.kind === 'connectionString');
    return spans
      .filter(({ start, end, secret }) => {
        return secret.kind !== 'email' || !inUrls.some((url) => start < url.end && end > url.start);
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

function unlessInvalid(replace: () => string): string | undefined {
  try {
    return replace();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
