import { LABELED_LEVELS } from './logger-line.ts';

export type Severity = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'none';

/** Other spellings of levels: abbreviations, and the numbers of Google Cloud and syslog. */
const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['trace', ['trc', 'trce']],
  ['debug', ['100', '7', 'dbg', 'dbug']],
  ['verbose', ['vrb']],
  ['info', ['200', '6', 'information', 'inf']],
  ['notice', ['300', '5', 'note']],
  ['warn', ['400', '4', 'warning', 'wrn']],
  ['error', ['500', '3', 'err', 'severe', 'fail']],
  ['fatal', ['ftl']],
  ['critical', ['600', '2', 'crit']],
  ['alert', ['700', '1']],
  ['emergency', ['800', '0', 'emerg']],
]);
const NAMES: ReadonlyMap<string, string> = new Map([
  ...[...LABELED_LEVELS].map(([number, name]) => [String(number), name] as const),
  ...[...SPELLINGS].flatMap(([name, others]) => others.map((other) => [other, name] as const)),
]);

const FATAL = 'fatal|crit|emerg|alert|panic';
const ERROR = 'err|severe|fail';
const SEVERITIES: readonly (readonly [RegExp, Severity])[] = [
  [new RegExp(`^(?:${FATAL})`), 'fatal'],
  [new RegExp(`^(?:${ERROR})`), 'error'],
  [/^warn/, 'warn'],
  [/^(?:info|notice|http)/, 'info'],
  [/^(?:debug|verbose|fine)/, 'debug'],
  [/^(?:trace|silly)/, 'trace'],
];
/** From the most severe. */
export const SEVERITY_NAMES: readonly Severity[] = [...SEVERITIES.map(([, name]) => name), 'none'];

/** Error levels, as a regular expression that ignores case. */
export const ERROR_LEVELS = `^(?:${FATAL}|ftl|${ERROR}|[5-8]00$|50$|60$|[0-3]$)`;

export function severityOf(level: string): Severity {
  const name = levelName(level);
  return SEVERITIES.find(([pattern]) => pattern.test(name))?.[1] ?? 'none';
}

/** One name for all spellings of a level: `error` for 50, `ERROR` and `err`. */
export function levelName(level: string): string {
  const lower = level.toLowerCase();
  return NAMES.get(lower) ?? lower;
}

/** The levels that klog and MongoDB write as a letter. */
export const LEVEL_LETTERS: Readonly<Record<string, string>> = {
  ...{ D: 'debug', I: 'info', W: 'warn', E: 'error', F: 'fatal' },
};

/** All spellings of a level, in lower case. */
export function spellingsOf(name: string): readonly string[] {
  return [name, ...[...NAMES.keys()].filter((other) => NAMES.get(other) === name)];
}

/** All spellings that are words; `panic` has one only. */
export const LEVEL_WORDS: readonly string[] = [
  ...[...SPELLINGS].flatMap(([name, others]) => [name, ...others]).filter((word) => !/^\d/.test(word)),
  'panic',
];

/** The names of these levels. */
export const LEVEL_NAMES: readonly string[] = [...new Set(LEVEL_WORDS.map(levelName))];
