import { countText } from '../count-text.ts';
import type { Secret } from '../secrets/secret.ts';
import { SecretFinder, type SecretFinderOptions } from '../secrets/secret-finder.ts';
import { tryOr } from '../try-or.ts';
import { MESSAGE_FIELDS } from './record-fields.ts';

/** Secrets of one kind or name in one field. */
export interface SecretFinding {
  /** Path of the field, with `*` for any index; empty for text. */
  readonly field: string;
  /** Path of the value that has it: of a string, if that has JSON with the field. */
  readonly value: string;
  /** Such as `GitHub token` or `password`. */
  readonly name: string;
  readonly kind: Secret['kind'];
  readonly isNamed: boolean;
  readonly count: number;
  /** The first one without its secret part. */
  readonly sample: string;
  /** Where the first one is, as the caller says. */
  readonly place: object | undefined;
}

const VISIBLE_DIGITS = 4;

/** Collects the secrets of many lines. */
export class SecretReport {
  readonly #finder: SecretFinder;
  readonly #findings = new Map<string, SecretFinding>();

  constructor(options: SecretFinderOptions) {
    this.#finder = new SecretFinder(options);
  }

  /** Most frequent first. */
  get findings(): readonly SecretFinding[] {
    return [...this.#findings.values()].sort((a, b) => b.count - a.count || (a.field < b.field ? -1 : 1));
  }

  /** @param text a record: text, or JSON. @param placeOf returns the place of a position in it */
  add(text: string, placeOf?: (at: number) => object): void {
    // Names may contain secrets, too.
    const shown = (path: string) => this.#finder.replaceInText(path.replaceAll(/\[\d+\]/g, '[*]'), () => '…');
    this.#finder.replaceInText(text, ({ kind, name, isNamed, path, jsonPath = path, text: secret, at }) => {
      const field = shown(path);
      const key = JSON.stringify([field, name]);
      const before = this.#findings.get(key);
      const first = before ?? {
        ...{ field, value: shown(jsonPath), name, kind, isNamed, sample: maskedSample(kind, secret) },
        // A value of JSON in text has no position of its own.
        place: placeOf?.(path === '' ? (at ?? 0) : 0),
      };
      this.#findings.set(key, { ...first, count: (before?.count ?? 0) + 1 });
      return ''; // Its own parts are no further secrets.
    });
  }
}

/** @param text JSON, if it is the value of a field. */
function maskedSample(kind: Secret['kind'], text: string): string {
  const value: string = /^".*"$/s.test(text) ? tryOr(text, () => JSON.parse(text)) : text;
  if (kind === 'cardNumber') return `…${value.slice(-VISIBLE_DIGITS)}`;
  if (kind === 'email') return `…${value.slice(value.lastIndexOf('@'))}`;
  return `… (${countText(value.length, 'character')})`;
}

/** The option of a transport that replaces these secrets, and that of pino for whole values. */
export function redactOptions(findings: readonly SecretFinding[]): string {
  const own = findings.filter(({ kind, isNamed }) => kind === undefined && isNamed);
  const keys = [...new Set(own.map(({ name }) => `'${name}'`))];
  const options = [
    ...(keys.length === 0 ? [] : [`keys: [${keys.join(', ')}]`]),
    ...(findings.some(({ kind }) => kind === 'email') ? ['patterns: { email: true }'] : []),
  ];
  const option = `redact: ${options.length === 0 ? 'true' : `{ ${options.join(', ')} }`}`;
  const paths = new Set(findings.filter((each) => !isText(each)).map(pinoPath));
  if (paths.size === 0) return option;
  const texts = new Set(findings.filter(isText).map(({ value }) => value || 'text'));
  const rest = texts.size === 0 ? '' : ` That leaves those in ${[...texts].join(', ')}.`;
  return `${option}. For a pino logger without the transport, to pino: redact: [${[...paths].join(', ')}]${rest && `.${rest}`}`;
}

/** Whether the path for pino would replace a whole message. JSON in another field may go; pino never replaces its message. */
function isText({ field, value }: SecretFinding): boolean {
  if (field !== value) return /^(?:msg|message)$/.test(value);
  return value === '' || MESSAGE_FIELDS.includes(value) || /\.(?:message|stack)$/.test(value);
}

/** A quoted path, in which names that are no identifiers are in brackets. */
function pinoPath({ value }: SecretFinding): string {
  return `'${value.replaceAll(/(?:^|\.)((?![A-Za-z_$][\w$]*(?:[.[]|$))[^.[]+)/g, '["$1"]')}'`;
}
