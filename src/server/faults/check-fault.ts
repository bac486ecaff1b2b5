import { LogOptionsException } from '../../core/errors.ts';
import {
  describe,
  refuseUnknownOptions,
  requireBoolean,
  requireInteger,
  requireOneOf,
  requireText,
} from '../../core/option-checks.ts';
import { MAX_TIMER_MS } from '../../core/timer-limit.ts';
import type { Fault } from './fault.ts';

const OWNER = 'faults.add';

type Name = keyof Fault;
type Check = (value: unknown, name: Name) => unknown;

const atLeast =
  (min: number, max?: number): Check =>
  (value, name) =>
    requireInteger(OWNER, name, value, max === undefined ? { min } : { min, max });
const must =
  (isValid: (value: unknown) => boolean, what: string): Check =>
  (value, name) =>
    isValid(value) || refuse(`"${name}" must be ${what} (got ${describe(value)}).`);
const flag: Check = (value, name) => requireBoolean(OWNER, name, value);

const CHECKS: Record<Name, Check> = {
  method: (value, name) => requireText(OWNER, name, value),
  path: must((path) => typeof path === 'string' || path instanceof RegExp, 'a string or a RegExp'),
  times: (value, name) => requireInteger(OWNER, name, value, { min: 1, orInfinity: true }),
  after: atLeast(0),
  every: atLeast(1),
  probability: must(
    (share) => typeof share === 'number' && share > 0 && share <= 1,
    'a number above 0 and at most 1',
  ),
  seed: atLeast(0),
  status: atLeast(200, 599),
  body: must((body) => typeof body === 'string', 'a string'),
  retryAfter: must(
    (wait) => typeof wait === 'string' || (typeof wait === 'number' && wait >= 0),
    'a number of seconds or a date string',
  ),
  headers: requireHeaders,
  maxBodyBytes: atLeast(0),
  refuseEvents: must(isEventMatch, 'a non-empty string, a RegExp, an object with fields or a function'),
  delayMs: atLeast(0, MAX_TIMER_MS),
  hang: flag,
  reset: (value, name) => requireOneOf(OWNER, name, value, ['before', 'inBody', 'afterBody', 'afterStore']),
  resetAfterBytes: atLeast(0),
  uploadBytesPerSecond: atLeast(1),
  dripBytesPerSecond: atLeast(1),
  cutAfterBytes: atLeast(0),
  notDone: flag,
};

/** Options that make a request fail. */
const EFFECTS = [
  'status',
  'maxBodyBytes',
  'refuseEvents',
  'delayMs',
  'hang',
  'reset',
  'uploadBytesPerSecond',
  'dripBytesPerSecond',
  'cutAfterBytes',
  'notDone',
] as const satisfies readonly Name[];

/** Pairs of options of which the second would never happen. */
const CONTRADICTIONS: readonly (readonly [a: Name, b: readonly Name[]])[] = [
  ['hang', EFFECTS.filter((name) => name !== 'hang' && name !== 'delayMs')],
  ['reset', EFFECTS.filter((name) => name !== 'reset' && name !== 'delayMs')],
  ['maxBodyBytes', EFFECTS.filter((name) => name !== 'maxBodyBytes' && name !== 'status')],
  ['refuseEvents', EFFECTS.filter((name) => name !== 'refuseEvents' && name !== 'status')],
  ['status', ['uploadBytesPerSecond', 'notDone']],
];

/** Options that only qualify another option. */
const DETAILS: readonly (readonly [detail: Name, of: readonly Name[]])[] = [
  ['body', ['status', 'maxBodyBytes', 'refuseEvents']],
  ['retryAfter', ['status', 'maxBodyBytes', 'refuseEvents']],
  ['headers', ['status', 'maxBodyBytes', 'refuseEvents']],
  ['seed', ['probability']],
];

/** @throws LogOptionsException for an invalid fault. */
export function checkedFault(fault: Fault): Fault {
  refuseUnknownOptions(OWNER, fault, Object.keys(CHECKS));
  for (const name of Object.keys(CHECKS) as Name[]) {
    if (fault[name] !== undefined) CHECKS[name](fault[name], name);
  }
  if (!EFFECTS.some((name) => has(fault, name)))
    refuse(`the fault does nothing. Give it ${listed(EFFECTS)}.`);
  for (const [name, others] of CONTRADICTIONS) {
    const other = has(fault, name) ? others.find((candidate) => has(fault, candidate)) : undefined;
    const problem = `"${name}" and "${other}" can't be combined in one fault. Remove one, or add two faults with "times".`;
    if (other !== undefined) refuse(problem);
  }
  const dependsOnBody = has(fault, 'maxBodyBytes') || has(fault, 'refuseEvents');
  if (fault.status !== undefined && fault.status < 400 && dependsOnBody)
    refuse(`"status" must be at least 400 to reject a request (got ${fault.status}).`);
  for (const [detail, of] of DETAILS) {
    if (has(fault, detail) && !of.some((name) => has(fault, name)))
      refuse(`"${detail}" has no effect without ${listed(of)}.`);
  }
  if (fault.resetAfterBytes !== undefined && fault.reset !== 'inBody')
    refuse('"resetAfterBytes" requires reset: "inBody".');
  return Object.freeze({ ...fault });
}

function refuse(problem: string): never {
  throw new LogOptionsException(`${OWNER}: ${problem}`);
}

function has(fault: Fault, name: Name): boolean {
  return fault[name] !== undefined && fault[name] !== false;
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

function requireHeaders(value: unknown): void {
  try {
    new Headers(value as Record<string, string>);
  } catch (error) {
    refuse(`"headers" must be an object of valid HTTP headers. ${(error as Error).message}`);
  }
}

function isEventMatch(value: unknown): boolean {
  if (typeof value === 'function' || value instanceof RegExp) return true;
  const isFilled = typeof value === 'string' ? value !== '' : Object.keys(Object(value)).length > 0;
  return isFilled && !Array.isArray(value);
}
