import { isDate, isRegExp, isThenable } from './builtin-types.ts';
import { LogOptionsException } from './exception.ts';
import { meantName } from './nearest-name.ts';
import { MAX_TIMER_MS } from './timer-limit.ts';
import { tryOr } from './try-or.ts';

/** pino adds this to the caller's options object, which the caller may also pass elsewhere. */
const LEFT_BY_PINO = 'pinoWillSendConfig';

/** What replaces options of Python's requests. */
const OF_REQUESTS: Readonly<Record<string, string>> = {
  verify: 'Pass the CA certificate to the client as "ca". To skip the check, pass an https.Agent as "agent".',
  proxies: 'Pass the address of the proxy to the client as "proxy".',
};

/** Other clients and flags have these names. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ...{ from: 'start', since: 'start', to: 'end', until: 'end', params: 'query', json: 'data', body: 'data' },
  ...{ batchSize: 'maxBatchRecords', maxBatchCount: 'maxBatchRecords', batchInterval: 'flushIntervalMs' },
};

/** The options that other clients accept by position. */
const POSITIONAL = ['start', 'isLive', 'parser', 'isRoot', 'encoding', 'offset', 'description', 'name'];

/** Starts each problem in a message that lists several. */
const NEXT_PROBLEM = '\n- ';

/**
 * Rejects unknown options, so that typos are found early.
 *
 * @param owner name in the message, such as `LogClient`.
 * @param advice what to do instead, by the name of the option.
 * @throws LogOptionsException that names each unknown option and the most similar known one.
 */
export function refuseUnknownOptions(
  owner: string,
  options: object,
  known: readonly string[],
  advice: Readonly<Record<string, string>> = {},
): void {
  requireOptions(owner, options, known[0]);
  const unknown = Object.keys(options).filter((name) => !known.includes(name) && name !== LEFT_BY_PINO);
  const page = 'All options are in docs/options.md of logclient.';
  // More names are no help in a message.
  const list = known.length <= 20 ? `Known options: ${known.join(', ')}.` : page;
  throwProblems(
    unknown.map((name) => {
      const hint = meantName(known.find((option) => option === SYNONYMS[name]) ?? name, known, list);
      return `${owner} has no option "${name}". ${advice[name] ?? OF_REQUESTS[name] ?? hint}`;
    }),
  );
}

/**
 * Resolves options that don't depend on each other, so that one exception lists all that are invalid.
 *
 * @param checks for each option, a function that returns its value or throws.
 * @param rejections functions that only throw. They run first.
 * @throws LogOptionsException with the messages of all checks that failed.
 */
export function resolveAll<Resolved extends object>(
  checks: { readonly [Name in keyof Resolved]: () => Resolved[Name] },
  rejections: readonly (() => void)[] = [],
): Resolved {
  const failures: LogOptionsException[] = [];
  const run = (check: () => unknown, name = 'options'): unknown => {
    try {
      return check();
    } catch (cause) {
      if (cause instanceof LogOptionsException) return void failures.push(cause);
      return void failures.push(new LogOptionsException(`"${name}" can't be read.`, { cause }));
    }
  };
  for (const rejection of rejections) run(rejection);
  const entries = Object.entries<() => unknown>(checks).map(([name, check]) => [name, run(check, name)]);
  if (failures.length === 1) throw failures[0];
  throwProblems(failures.flatMap(problemsOf));
  return Object.fromEntries(entries);
}

/** Checks the value of an option and returns the value to use. Throws a LogOptionsException. */
export type Check = (owner: string, name: string, value: unknown) => unknown;

/** What checks return, by name. */
export type Checked<Checks extends Record<string, () => unknown>> = {
  readonly [Name in keyof Checks]: ReturnType<Checks[Name]>;
};

/** {@link resolveAll} for options that all have a check: others are unknown. @throws LogOptionsException */
export function resolveOptions<Options extends object, Resolved extends Record<keyof Options, unknown>>(
  owner: string,
  options: Options,
  checks: { readonly [Name in keyof Resolved]: () => Resolved[Name] },
): Resolved {
  return resolveAll(checks, [() => refuseUnknownOptions(owner, options, Object.keys(checks))]);
}

/** @throws LogOptionsException with all problems, each a sentence, unless there are none. */
export function throwProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new LogOptionsException(problemList(problems));
}

/** A single problem, or a list. */
export function problemList(problems: readonly string[]): string {
  const distinct = [...new Set(problems)];
  if (distinct.length === 1) return distinct[0]!;
  return [`${distinct.length} options are invalid:`, ...distinct].join(NEXT_PROBLEM);
}

/** The problems in a message that {@link problemList} has made, or that is a single one. */
export function problemsOf({ message }: LogOptionsException): readonly string[] {
  return message.replace(/^\d+ options are invalid:\n- /, '').split(NEXT_PROBLEM);
}

/** @param first the first known option. @throws LogOptionsException unless the options are a plain object. */
export function requireOptions(owner: string, options: unknown, first = ''): void {
  const isPositional = POSITIONAL.includes(first) && /string|number|boolean/.test(typeof options);
  if (!isPositional) return void requireObject(owner, 'the options', options);
  const { message } = wrongKind(owner, 'the options', 'an object', options);
  throw new LogOptionsException(`${message} Name it, as in { ${first}: ${describe(options)} }.`);
}

/** @throws LogOptionsException if both options are set. */
export function rejectPair<Name extends string>(
  owner: string,
  options: { readonly [Key in Name]?: unknown },
  one: Name,
  other: Name,
): void {
  if (options[one] === undefined || options[other] === undefined) return;
  throw new LogOptionsException(`${owner}: "${one}" and "${other}" can't be combined; pass only one.`);
}

/** Whether a value is a plain object, of any realm. Members of a Map or a Promise would be ignored. */
export function isRecord(value: unknown): value is object {
  return tryOr(false, () => {
    if (typeof value !== 'object' || value === null || Symbol.iterator in value) return false;
    return !isThenable(value) && !hasClass(value);
  });
}

/** Plain objects may inherit from others. */
function hasClass(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return false;
  const isObject = !Object.hasOwn(prototype, 'constructor') || prototype.constructor.name === 'Object';
  return !isObject || hasClass(prototype);
}

export interface NumberRange {
  min?: number;
  max?: number;
  /** Whether `Infinity` is valid, too. */
  orInfinity?: boolean;
}

/** @throws LogOptionsException unless `value` is an integer within the range. */
export function requireInteger(owner: string, name: string, value: unknown, range: NumberRange = {}): number {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, orInfinity = false } = range;
  if (orInfinity && value === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  const upper = max === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${max}`;
  const kind = `a whole number of at least ${min}${upper}${orInfinity ? ', or Infinity' : ''}`;
  throw wrongKind(owner, `"${name}"`, kind, value);
}

/** A duration in milliseconds, or `Infinity`. @throws LogOptionsException */
export function resolveTimeout(
  owner: string,
  timeoutMs: unknown,
  fallbackMs: number,
  name = 'timeoutMs',
): number {
  if (timeoutMs === undefined) return fallbackMs;
  return requireInteger(owner, name, timeoutMs, { min: 1, max: MAX_TIMER_MS, orInfinity: true });
}

/** @throws LogOptionsException unless `value` is a string. `what` is its name in the message, such as `the query`. */
export function requireString(owner: string, what: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw wrongKind(owner, what, 'a string', value);
}

/**
 * @param what its name in the message, such as `"tags"`.
 * @param kind ends `must be an object` in the message, such as ` of strings`.
 * @throws LogOptionsException unless `value` is a plain object.
 */
export function requireObject(owner: string, what: string, value: unknown, kind = ''): object {
  if (isRecord(value)) return value;
  const { message } = wrongKind(owner, what, `an object${kind}`, value);
  throw new LogOptionsException(message + nullAdvice(value));
}

/** Other languages pass `null` for an omitted value. Empty for other values. */
export function nullAdvice(value: unknown): string {
  return value === null ? ' Omit it, or pass undefined.' : '';
}

/** @param items what it must contain, for the message. @returns them, or undefined for a hole. @throws LogOptionsException */
export function requireArray(owner: string, what: string, value: unknown, items: string): readonly unknown[] {
  if (Array.isArray(value)) return Array.from(value);
  throw wrongKind(owner, what, `an array of ${items}`, value);
}

/** @throws LogOptionsException unless `value` is a string that is not blank. */
export function requireText(owner: string, name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw wrongKind(owner, `"${name}"`, 'a non-empty string', value);
}

/** @throws LogOptionsException unless `value` is `true` or `false`. */
export function requireBoolean(owner: string, name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw wrongKind(owner, `"${name}"`, 'true or false', value);
}

/** @throws LogOptionsException unless `value` is a function that can be called without `new`, or `undefined`. */
export function requireFunction<Value>(owner: string, name: string, value: Value): Value {
  const isClass = typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
  if (value === undefined || (typeof value === 'function' && !isClass)) return value;
  throw wrongKind(owner, `"${name}"`, 'a function', value);
}

/** @throws LogOptionsException unless `values` is an array of strings that are not blank. */
export function requireTexts(owner: string, name: string, values: unknown = []): readonly string[] {
  const texts = requireArray(owner, `"${name}"`, values, 'strings');
  return texts.map((value, index) => requireText(owner, `${name}[${index}]`, value));
}

/** @throws LogOptionsException unless `value` is one of `choices`. */
export function requireOneOf<const T extends string>(
  owner: string,
  name: string,
  value: unknown,
  choices: readonly T[],
): T {
  if (choices.includes(value as T)) return value as T;
  throw wrongKind(owner, `"${name}"`, `one of ${choices.join(', ')}`, value);
}

/** Some readers of environment files keep quotes. */
export const QUOTED = /^(["']).*\1$/;
export const REMOVE_QUOTES = 'is in quotes. Remove them: "docker --env-file" passes them on';

/** What a header can contain as a token. */
export const TOKEN_TEXT = /^[\x21-\x7e]+$/;

/**
 * Trims a token, because people paste it with whitespace.
 *
 * @throws LogOptionsException, without the token, unless it is valid in an HTTP header.
 */
export function requireToken(owner: string, name: string, value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new LogOptionsException(`${owner}: "${name}" must be a non-empty string.`);
  }
  const token = value.trim();
  if (/^Bearer\s/i.test(token)) {
    throw new LogOptionsException(`${owner}: omit "Bearer" from "${name}": it is added to requests.`);
  }
  if (QUOTED.test(token)) throw new LogOptionsException(`${owner}: "${name}" ${REMOVE_QUOTES}.`);
  if (!TOKEN_TEXT.test(token)) {
    throw new LogOptionsException(
      `${owner}: "${name}" contains characters that are not valid in a token (whitespace, control or non-ASCII characters). Copy the token again.`,
    );
  }
  return token;
}

/** @param kind what the value must be. */
export function wrongKind(owner: string, what: string, kind: string, value: unknown): LogOptionsException {
  return new LogOptionsException(`${owner}: ${what} must be ${kind} (got ${describe(value)}).`);
}

/** Describes an invalid value with at most a few characters of it. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a longer string' : JSON.stringify(value);
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  const unreadable = "an object that can't be read";
  return tryOr(unreadable, () => {
    if (Array.isArray(value)) return 'an array';
    if (isRegExp(value)) return String(value).slice(0, 40);
    if (isDate(value) && Number.isNaN(value.getTime())) return 'an invalid Date';
    if (isThenable(value)) return 'a promise: await it';
    const { name } = hasClass(value) ? value.constructor : Object;
    if (name !== 'Object') return `a ${name || 'class instance'}`;
    return isRecord(value) ? 'an object' : unreadable;
  });
}
