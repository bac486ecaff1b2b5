import { escapeRegex } from '../../../core/escape-regex.ts';
import type { WriteContext } from './dialect.ts';
import { PLACEHOLDERS, SHARED, WRITTEN } from './placeholders.ts';
import { requiredTexts } from './required-texts.ts';
import { inSeconds, withTime } from './times.ts';

/**
 * Where a phrase counts.
 *
 * - `step`: a whole step.
 * - `pipe`: a whole step after a `|`. In the first step, its words may be search text.
 * - `clause`: a whole step, or what follows a filter at the end of a step.
 * - `test`: an operand of a filter. The filters around it are converted, too, because `and` binds tighter elsewhere.
 * - `mark`: an operator of a filter, which is converted with the filter.
 * - `part`: anywhere in a step.
 * - `call`: anywhere in a call. Other phrases are not searched for in valid calls.
 * - `query`: all of the query.
 */
export type Place = 'step' | 'pipe' | 'clause' | 'test' | 'mark' | 'part' | 'call' | 'query';

/** Writes the replacement from the groups of the pattern; `undefined` if the phrase is no mistake. */
export type Writer = (groups: readonly string[], context: WriteContext) => string | undefined;

/** Named writers of a table, for what a template can't say. */
export type Writers = Readonly<Record<string, Writer>>;

export interface Mistake {
  readonly place: Place;
  readonly code: string;
  /** Where the phrase comes from. */
  readonly language: string;
  /** Matches a query in which strings are blank. Has the flag `d`. */
  readonly pattern: RegExp;
  /** Matches at a place. */
  readonly sticky: RegExp;
  /** What each match contains. */
  readonly texts: readonly (readonly string[])[];
  /** Whether its language searches for no words, so that none may be left beside it. */
  readonly isStrict: boolean;
  /** What to write: empty if there is no equivalent, `undefined` if the phrase is no mistake. */
  readonly write: Writer;
  /** One sentence. */
  readonly words: string;
}

/** What to write in place of a conditional expression with several cases. */
export const CASE = 'Write case { filter | field := value; * | field := value }.';

/** What to write in place of a filter on the time. */
export const TIME = 'Set the time interval, or start with one, such as setTimeInterval(start=24h).';

/** Languages in which a word is not searched for. */
const STRICT = /^(?:SPL|SQL|KQL|SQL or KQL|jq|CloudWatch or Elastic|EQL|ES\|QL)$/;

/**
 * The mistakes of a table with one per line: `place code: typed ==> write ## words`. Without `write`, `words` says what to
 * do. In `typed`, `{field}` and other placeholders stand for parts of the query; a digit makes them different:
 * `{field2}`. `%(a|b)%` is one of several words. `/…/` is a pattern, and `$1` its first group. `@name` is a writer. A
 * line `command code: a b ## words` has names of commands after a `|`, whose words would only be searched for.
 */
export function mistakesOf(origin: string, table: string, writers: Writers = {}): readonly Mistake[] {
  return table
    .trim()
    .split(/\n+/)
    .flatMap((line) => {
      const [, place = '', code = '', rest = ''] = /^\s*(\w+) ([\w-]+): (.*)$/.exec(line)!;
      const [main = '', words] = rest.split(' ## ');
      const [typed = '', write] = main.split(' ==> ');
      if (place !== 'command') return [mistake(origin, writers, [place as Place, code, typed, write, words])];
      // It may also be the name of a field.
      const steps = typed.split(' ').map((name) => `/${name}(?:\\s+(?![<>=!:]).*)?/`);
      return steps.map((step) => mistake(origin, writers, ['pipe', code, step, undefined, words]));
    });
}

type Row = readonly [place: Place, code: string, typed: string, write?: string, words?: string];

function mistake(origin: string, writers: Writers, [place, code, typed, write, words]: Row): Mistake {
  const language = SHARED[code] ?? origin;
  const source = sourceOf(typed);
  const plain = writerOf(typed, write, writers);
  const writer: Writer = (groups, context) => {
    const read = (text: string) => {
      if (code !== 'spl-eval') return origin === 'KQL' && place !== 'test' ? withTime(text) : text;
      const written = inSeconds(unquoted(text), context.before);
      if (written === '') context.fail?.(text);
      return written;
    };
    return plain(
      groups.map((one) => one && read(one)),
      context,
    );
  };
  const after = /\w$/.test(typed) ? '(?!\\w)' : '';
  return {
    place,
    code,
    language,
    isStrict: STRICT.test(language),
    write: writer,
    // A program that checks no query needs none of these, and most queries need few patterns.
    get texts() {
      return once(this, 'texts', () => requiredTexts(source.replaceAll(PLACEHOLDERS.field![0], '.')));
    },
    get pattern() {
      return once(this, 'pattern', () => placedPattern(source, after, place));
    },
    get sticky() {
      return once(this, 'sticky', () => new RegExp(`(?<![\\w.@#:])${source}${after}`, 'disy'));
    },
    get words() {
      return words ?? example(write ?? '');
    },
  };
}

/** In an expression of SPL, a name may be in single quotes. */
const unquoted = (text: string) => text.replace(/"[^"]*"|'([\w.@]+)'/g, (found, name) => name ?? found);

function once<T>(owner: object, name: string, make: () => T): T {
  const value = make();
  Object.defineProperty(owner, name, { value });
  return value;
}

/** The mistakes that `masked` can contain. */
export function possibleIn(masked: string, mistakes: readonly Mistake[]): readonly Mistake[] {
  const words = masked.toLowerCase();
  return mistakes.filter(({ texts }) => texts.every((list) => list.some((text) => words.includes(text))));
}

const PART = /\{(\w+?)(\d?)(\.\w+)?\}/g;

function placedPattern(source: string, after: string, place: Place): RegExp {
  if (['part', 'call', 'test', 'mark'].includes(place))
    return new RegExp(`(?<![\\w.@#:-])${source}${after}`, 'dis');
  return new RegExp(place === 'clause' ? `(?:^|(?<=\\s))${source}$` : `^${source}$`, 'dis');
}

function sourceOf(typed: string): string {
  if (isPattern(typed))
    return typed
      .slice(1, -1)
      .replaceAll('@NAME@', `(${PLACEHOLDERS.field![0]})`)
      .replaceAll('@NOT@', '(\\s*!|\\s+not\\s+|\\s+)')
      .replaceAll('@TEXT@', `(${PLACEHOLDERS.text![0]})`)
      .replaceAll('@SUBNET@', SUBNET);
  return typed
    .split(/(\{\w+\}|%\(.*?\)%|\s+)/)
    .filter((part) => part !== '')
    .map((part, index, all) => partSource(part, all[index - 1], all[index + 1]))
    .join('');
}

const SUBNET = '(\\d{1,3}(?:\\.\\d{1,3}){3}\\/\\d{1,2})';

function isPattern(typed: string): boolean {
  return /^\/.+\/$/.test(typed);
}

/** Whitespace is optional beside marks. */
function partSource(part: string, before = '', after = ''): string {
  const name = /^\{(\w+?)\d?\}$/.exec(part)?.[1];
  if (name !== undefined) return `(${PLACEHOLDERS[name]![0]})`;
  if (/^\s+$/.test(part))
    return /[^\w}](?:\)%)?$/.test(before.replace(/[\w}]\)%$/, 'a')) || /^(?:%\()?[^\w{%]/.test(after)
      ? '\\s*'
      : '\\s+';
  if (part.startsWith('%(')) return `(?:${part.slice(2, -2).split('|').map(plainSource).join('|')})`;
  return plainSource(part);
}

function plainSource(text: string): string {
  return escapeRegex(text).replace(/ /g, '\\s+');
}

function writerOf(typed: string, write: string | undefined, writers: Writers): Writer {
  if (write === undefined) return () => '';
  const writer = write.startsWith('@') && writers[write.slice(1)];
  if (writer) return writer;
  if (isPattern(typed)) return (groups) => write.replace(/\$(\d)/g, (_, group) => groups[group - 1] ?? '');
  const names = [...typed.matchAll(PART)].map(([, name, digit]) => `${name}${digit}`);
  return (groups, context) => {
    let isComplete = true;
    const text = write.replace(PART, (_part, name: string, digit: string, form = '') => {
      const value = groups[names.indexOf(`${name}${digit}`)] ?? '';
      const written = (WRITTEN[form || name] ?? String)(value, context);
      isComplete &&= written !== '' || value.trim() === '';
      return written;
    });
    return isComplete ? text : '';
  };
}

/** A context without a query. */
const NOWHERE: WriteContext = {
  filter: String,
  rows: (kept, count) => `${kept === 'first' ? 'tail' : 'head'}(${count})`,
};

/** What to write, with examples of its parts. */
function example(write: string): string {
  const text = write.replace(PART, (_part, name: string, digit: string, form = '') => {
    const sample = PLACEHOLDERS[name]![1] + (name.startsWith('field') ? digit : '');
    return (WRITTEN[form || name] ?? String)(sample, NOWHERE);
  });
  return `Write ${text}.`;
}
