/**
 * The grammar of JSON without white space, as one regular expression. Compiled, it proves a line several times
 * faster than `JSON.parse` or a loop over its characters.
 *
 * Nesting is spelled out to a few levels; deeper lines are parsed. No two alternatives begin with the same character,
 * so the effort stays proportional to the length of the line.
 */
const PLAIN = '[^"\\\\\\u0000-\\u001f]*';
/** Escaped surrogates need a look at whether they come in pairs. */
const ESCAPE = '\\\\(?:["\\\\/bfnrt]|u(?![dD][89a-fA-F])[\\da-fA-F]{4})';
const STRING = `"${PLAIN}(?:${ESCAPE}${PLAIN})*"`;
const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const SCALAR = `(?:${STRING}|${NUMBER}|true|false|null)`;
const VALUE = nested(nested(nested(SCALAR)));

/** A name without escapes can be compared as it stands. */
const OTHER_MEMBER = `"(?!(?:level|time)")${PLAIN}":${VALUE}`;

/**
 * What pino writes: the level, or what a formatter made of it; the time, unless it is switched off; then anything
 * but another level or time.
 */
const PINO_LINE = new RegExp(
  `^\\{(?:"level":(${SCALAR})|(${OTHER_MEMBER}))(?:,"time":(${SCALAR}))?((?:,${OTHER_MEMBER})*)\\}$`,
);

/** The expression keeps a stack of its choices; a line that makes many is better parsed. */
const MAX_LENGTH = 64 * 1024;

/** The parts of a line, as JSON text. */
export interface PinoLine {
  readonly level: string | undefined;
  /** The first member when that isn't the level. */
  readonly firstMember: string | undefined;
  readonly time: string | undefined;
  /** All further members, each with a comma before it. */
  readonly rest: string;
}

/** @returns `undefined` for a line that has to be parsed to be understood, or is no JSON at all. */
export function dissectPinoLine(line: string): PinoLine | undefined {
  if (line.length > MAX_LENGTH) return undefined;
  const match = PINO_LINE.exec(line);
  if (match === null) return undefined;
  return { level: match[1], firstMember: match[2], time: match[3], rest: match[4]! };
}

function nested(value: string): string {
  const object = `\\{(?:${STRING}:${value}(?:,${STRING}:${value})*)?\\}`;
  const array = `\\[(?:${value}(?:,${value})*)?\\]`;
  return `(?:${value}|${object}|${array})`;
}
