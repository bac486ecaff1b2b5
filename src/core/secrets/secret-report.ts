// cspell:disable: starts of tokens, and names without separators.
import { type Secret, SecretFinder, type SecretFinderOptions } from './secret-finder.ts';

/** Secrets of one kind in one field. */
export interface SecretFinding {
  /** Path of the field, with `*` for any index; empty for text. */
  readonly field: string;
  /** Such as `GitHub token` or `password`. */
  readonly name: string;
  readonly kind: Secret['kind'];
  readonly isNamed: boolean;
  readonly count: number;
  /** The first one without its secret part. */
  readonly sample: string;
}

/** Start that shows what a token is for, and is the same for all. */
const PUBLIC_START =
  /^(?:[A-Za-z]{2,10}_(?:live_|test_|pat_)?|xox[a-z]-|glpat-|AKIA|ASIA|AIza|eyJ|SG\.|sk-|-----BEGIN[A-Z ]*-----)/;
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

  /** @param text a line, or the value of a field. */
  add(text: string, path = ''): void {
    this.#finder.replaceInText(
      text,
      (secret) => {
        this.#count(secret);
        return undefined;
      },
      path,
    );
  }

  /** Adds a field, whose name may show that its value is secret. */
  addField(name: string, value: string): void {
    this.#finder.replaceInJson(JSON.stringify({ [name]: value }), (secret) => {
      this.#count(secret);
      // Its own parts are no further secrets.
      return '';
    });
  }

  #count({ kind, name, isNamed, path, text }: Secret): void {
    // Names may contain secrets, too.
    const field = this.#finder.replaceInText(path.replaceAll(/\[\d+\]/g, '[*]'), () => '…');
    const key = JSON.stringify([field, isNamed ? '' : name]);
    const before = this.#findings.get(key);
    this.#findings.set(key, {
      field,
      name,
      kind,
      isNamed,
      count: (before?.count ?? 0) + 1,
      // The value of a field is JSON.
      sample: before?.sample ?? maskedSample(kind, /^".*"$/s.test(text) ? JSON.parse(text) : text),
    });
  }
}

function maskedSample(kind: Secret['kind'], text: string): string {
  const length = `(${text.length} characters)`;
  if (kind === 'cardNumber') return `…${text.slice(-VISIBLE_DIGITS)}`;
  if (kind === 'email') return `…${text.slice(text.lastIndexOf('@'))}`;
  const start =
    kind === 'cloudToken' || kind === 'jwt' || kind === 'privateKey' ? PUBLIC_START.exec(text) : null;
  return `${start?.[0] ?? ''}… ${length}`;
}

/** The option that redacts these secrets; the patterns that are on by default need none. */
export function redactOption(findings: readonly SecretFinding[]): string {
  const keys = new Set(
    findings.filter(({ kind, isNamed }) => kind === undefined && isNamed).map(({ name }) => name),
  );
  const options = [
    ...(keys.size === 0 ? [] : [`keys: [${[...keys].map((key) => `'${key}'`).join(', ')}]`]),
    ...(findings.some(({ kind }) => kind === 'email') ? ['patterns: { email: true }'] : []),
  ];
  return options.length === 0 ? 'redact: true' : `redact: { ${options.join(', ')} }`;
}

/** A path for pino's own `redact`, which can only replace whole values; `undefined` for a part of a string. */
export function pinoPath({ field, isNamed }: SecretFinding): string | undefined {
  if (!isNamed || field === '') return undefined;
  const parts = field.split(/\.|(?=\[)/).map((part) => {
    if (part === '[*]' || /^[A-Za-z_$][\w$]*$/.test(part)) return part;
    return `["${part}"]`;
  });
  return parts.reduce(
    (path, part) => (part.startsWith('[') || path === '' ? path + part : `${path}.${part}`),
    '',
  );
}
