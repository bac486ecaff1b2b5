import { isRegExp } from '../core/builtin-types.ts';
import { fromEnvironment, nameOfSetting } from '../core/environment.ts';
import { LogOptionsException } from '../core/errors.ts';
import { meantName } from '../core/nearest-name.ts';
import {
  describe,
  requireArray,
  requireObject,
  requireString,
  requireText,
  resolveOptions,
} from '../core/option-checks.ts';
import type { SecretFinderOptions } from '../core/secrets/secret-finder.ts';
import { DEFAULT_KINDS, REDACTED, SECRET_KEY, type SecretKind } from '../core/secrets/secret-kinds.ts';
import { isOff, isOn } from '../core/switches.ts';

/** Patterns by name: `true` and `false` for those of this package, regular expressions for others. */
export type RedactPatterns = { readonly [Kind in SecretKind]?: boolean | undefined } & {
  readonly [name: string]: RegExp | boolean | undefined;
};

/** What to redact in records before they are queued, spooled or sent. */
export interface RedactOptions {
  /**
   * Names of fields whose values are replaced at any depth, also in JSON and `name=value` pairs inside strings. Case and
   * the separators `_`, `-`, `.` and space make no difference: `apiKey` also matches `API_KEY`.
   *
   * @default none, besides those of the patterns `authorization` and `password`
   */
  readonly keys?: readonly string[] | undefined;
  /**
   * Patterns to switch on and off, such as `{ email: true, cardNumber: false }`, and your own regular expressions by name.
   * Your own are tested on every string, which costs more than the others together.
   *
   * @default all except `email`
   */
  readonly patterns?: RedactPatterns | undefined;
  /** Text that replaces a value or the matching part of a string. @default '[redacted]' */
  readonly replacement?: string | undefined;
}

export type ResolvedRedactOptions = Required<SecretFinderOptions>;

const KIND = " such as { keys: ['ssn'], patterns: { email: true } }, true or false";

/** @returns `undefined` if nothing is redacted. @throws LogOptionsException */
export function resolveRedactOptions(owner: string, redact?: unknown): ResolvedRedactOptions | undefined {
  const setting = redact === undefined ? defaultRedact() : redact;
  if (setting === false) return undefined;
  const given = setting === true ? {} : setting;
  const options: RedactOptions = requireObject(owner, '"redact"', given, KIND);
  const name = `${owner} "${nameOfSetting('redact', redact)}"`;
  const { replacement = REDACTED } = options;
  const { patterns, ...others } = resolveOptions(name, options, {
    keys: () => resolveRedactKeys(name, options.keys),
    patterns: () => resolvePatterns(name, options.patterns),
    replacement: () => requireString(name, '"replacement"', replacement),
  });
  return { ...others, ...patterns };
}

/** `LOGSCALE_REDACT` is `true`, `false` (or `on`, `no`, `1` …), or the names of fields. */
function defaultRedact(): boolean | RedactOptions {
  const text = fromEnvironment('redact') ?? 'false';
  if (isOff(text)) return false;
  if (isOn(text)) return true;
  return { keys: text.split(',').map((key) => key.trim()) };
}

/** @throws LogOptionsException */
export function resolveRedactKeys(owner: string, keys: unknown = []): readonly string[] {
  const names = requireArray(owner, '"keys"', keys, "field names such as ['ssn']").map((key, index) =>
    requireText(owner, `keys[${index}]`, key),
  );
  const wrong = names.find((name) => !SECRET_KEY.test(name));
  if (wrong === undefined) return names;
  throw new LogOptionsException(
    `${owner}: "keys" are names of fields at any depth, not paths (got "${wrong}").`,
  );
}

function resolvePatterns(
  owner: string,
  patterns: unknown = {},
): Pick<ResolvedRedactOptions, 'kinds' | 'custom'> {
  const given = requireObject(owner, '"patterns"', patterns, ' such as { email: true }');
  const kinds: Record<string, boolean> = { ...DEFAULT_KINDS };
  const custom = new Map<string, RegExp>();
  for (const [name, pattern] of Object.entries(given)) {
    if (pattern === undefined) continue;
    const isKind = Object.hasOwn(kinds, name);
    if (isKind && typeof pattern === 'boolean') kinds[name] = pattern;
    else if (!isKind && isUsable(pattern)) custom.set(name, pattern);
    else {
      const expected = isKind ? 'true or false' : 'a regular expression that matches no empty string';
      const known = `Patterns of this package: ${Object.keys(kinds).join(', ')}.`;
      throw new LogOptionsException(
        `${owner}: patterns.${name} must be ${expected} (got ${describe(pattern)}). ${isKind ? known : meantName(name, Object.keys(kinds), known)}`,
      );
    }
  }
  return { kinds: kinds as ResolvedRedactOptions['kinds'], custom };
}

/** Matches of nothing would be replaced between all characters. */
function isUsable(value: unknown): value is RegExp {
  return isRegExp(value) && !new RegExp(value.source, value.flags.replaceAll(/[gy]/g, '')).test('');
}
