export type Severity = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'none';

/** Other spellings of levels: abbreviations, and the numbers of pino, bunyan and Google Cloud. */
const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['trace', ['10']],
  ['debug', ['20', '100']],
  ['info', ['30', '200', 'information']],
  ['notice', ['300']],
  ['warn', ['40', '400', 'warning']],
  ['error', ['50', '500', 'err']],
  ['fatal', ['60']],
  ['critical', ['600']],
  ['alert', ['700']],
  ['emergency', ['800']],
]);
const NAMES: ReadonlyMap<string, string> = new Map(
  [...SPELLINGS].flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);

const SEVERITIES: readonly (readonly [RegExp, Severity])[] = [
  [/^(?:fatal|crit|emerg|alert|panic)/, 'fatal'],
  [/^(?:err|severe)/, 'error'],
  [/^warn/, 'warn'],
  [/^(?:info|notice|http)/, 'info'],
  [/^(?:debug|verbose|fine)/, 'debug'],
  [/^(?:trace|silly)/, 'trace'],
];

/** Error levels, as a regular expression that ignores case. */
export const ERROR_LEVELS = '^(?:err|severe|fatal|crit|emerg|alert|panic|[5-8]00$|50$|60$)';

export function severityOf(level: string): Severity {
  const name = levelName(level);
  return SEVERITIES.find(([pattern]) => pattern.test(name))?.[1] ?? 'none';
}

/** One name for all spellings of a level: `error` for 50, `ERROR` and `err`. */
export function levelName(level: string): string {
  const lower = level.toLowerCase();
  return NAMES.get(lower) ?? lower;
}

/** All spellings of a level, in lower case. */
export function spellingsOf(name: string): readonly string[] {
  return [name, ...(SPELLINGS.get(name) ?? [])];
}
