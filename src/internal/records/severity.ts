export type Severity = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'none';

/** Numeric levels of pino and bunyan. */
const NUMERIC_LEVELS: ReadonlyMap<string, Severity> = new Map([
  ['10', 'trace'],
  ['20', 'debug'],
  ['30', 'info'],
  ['40', 'warn'],
  ['50', 'error'],
  ['60', 'fatal'],
]);

const SEVERITIES: readonly (readonly [RegExp, Severity])[] = [
  [/^(?:fatal|crit|emerg|alert|panic)/i, 'fatal'],
  [/^(?:err|severe)/i, 'error'],
  [/^warn/i, 'warn'],
  [/^(?:info|notice|http)/i, 'info'],
  [/^(?:debug|verbose|fine)/i, 'debug'],
  [/^(?:trace|silly)/i, 'trace'],
];

/** Error levels, as a regular expression that ignores case. */
export const ERROR_LEVELS = '^(?:err|severe|fatal|crit|emerg|alert|panic|50$|60$)';

export function severityOf(level: string): Severity {
  return NUMERIC_LEVELS.get(level) ?? SEVERITIES.find(([pattern]) => pattern.test(level))?.[1] ?? 'none';
}

/** The level as a name: `error` for 50. */
export function levelName(level: string): string {
  return NUMERIC_LEVELS.get(level) ?? level;
}
