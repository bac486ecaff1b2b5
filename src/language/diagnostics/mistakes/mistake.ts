import { PLACEHOLDERS, SHARED, WRITTEN } from './placeholders.ts';

/**
 * Where a phrase counts.
 *
 * - `step`: a whole step.
 * - `pipe`: a whole step after a `|`. In the first step, its words may be search text.
 * - `clause`: a whole step, or what follows a filter at the end of a step.
 * - `part`: anywhere in a step.
 * - `call`: anywhere in a call. Other phrases are not searched for in valid calls.
 * - `query`: all of the query.
 */
export type Place = 'step' | 'pipe' | 'clause' | 'part' | 'call' | 'query';

/** Writes the replacement from the groups of the pattern; `undefined` if the phrase is no mistake. */
type Writer = (...groups: readonly string[]) => string | undefined;

/**
 * A common mistake and its correction. `{field}` and other placeholders stand for parts of the query;
 * a digit makes them different: `{field2}`. `$1` is the first group of a pattern. Without `write`, `words` says what to
 * do.
 */
export type MistakeRow = readonly [
  place: Place,
  code: string,
  typed: string | RegExp,
  write: string | Writer | undefined,
  words?: string,
];

export interface Mistake {
  readonly place: Place;
  readonly code: string;
  /** Where the phrase comes from. */
  readonly language: string;
  /** Matches a query in which strings are blank. Has the flag `d`. */
  readonly pattern: RegExp;
  /** In lower case, a string that every match contains. Searching it is much faster than the first use of a pattern. */
  readonly hint: string;
  /** Those of the hint, which are even faster to compare. */
  readonly characters: number;
  /** What to write: empty if there is no equivalent, `undefined` if the phrase is no mistake. */
  readonly write: Writer;
  /** One sentence. */
  readonly words: string;
}

/** What to write in place of a conditional expression with several cases. */
export const CASE = 'Write case { filter | field := value; * | field := value }.';

/** The mistakes of a table. */
export function mistakesOf(origin: string, rows: readonly MistakeRow[]): readonly Mistake[] {
  return rows.map(([place, code, typed, write, words]) => {
    const language = SHARED[code] ?? origin;
    const pattern = patternOf(typed, place);
    const hint = hintOf(pattern);
    const writer = typeof write === 'string' ? writerOf(typed, write) : (write ?? (() => ''));
    return {
      place,
      code,
      language,
      pattern,
      hint,
      characters: charactersIn(hint),
      write: writer,
      // Matching an example of each row would delay the start of every program.
      get words() {
        return words ?? example(typed, pattern, writer);
      },
    };
  });
}

/** A bit for each character. Some share one. */
export function charactersIn(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) bits |= 1 << (text.charCodeAt(index) & 31);
  return bits;
}

/** Commands after a `|`, whose words would only be searched for, and what to write. They may also be names of fields. */
export function commands(code: string, words: Readonly<Record<string, string>>): readonly MistakeRow[] {
  const row = (name: string, text: string): MistakeRow => {
    const pattern = new RegExp(`${name}(?:\\s+(?![<>=!:]).*)?`);
    return ['pipe', code, pattern, undefined, text];
  };
  return Object.entries(words).flatMap(([names, text]) => names.split(' ').map((name) => row(name, text)));
}

/** The longest literal text of a pattern outside of its groups. */
function hintOf({ source }: RegExp): string {
  let literals = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, '.');
  for (let outer = ''; outer !== literals; ) {
    outer = literals;
    literals = outer.replace(/\([^()]*\)/g, '.');
  }
  if (literals.includes('|')) return '';
  const texts = literals.replace(/.(?:[?*]|\{[^}]*\})/g, '.').split(/[.^$+]/);
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest)).toLowerCase();
}

const PART = /\{(\w+?)(\d?)(\.\w+)?\}/g;

function patternOf(typed: string | RegExp, place: Place): RegExp {
  const source =
    typeof typed === 'string'
      ? typed
          .split(/(\{\w+\}|\s+)/)
          .map((part, index, all) => partPattern(part, all[index - 1], all[index + 1]))
          .join('')
      : typed.source;
  const after = /\w$/.test(String(typed)) ? '(?!\\w)' : '';
  if (place === 'part' || place === 'call') return new RegExp(`(?<![\\w.@#:-])${source}${after}`, 'dis');
  if (place === 'clause') return new RegExp(`(?:^|(?<=\\s))${source}$`, 'dis');
  return new RegExp(`^${source}$`, 'dis');
}

/** Whitespace is optional beside marks. */
function partPattern(part: string, before = '', after = ''): string {
  const name = /^\{(\w+?)\d?\}$/.exec(part)?.[1];
  if (name !== undefined) return `(${PLACEHOLDERS[name]![0]})`;
  if (/^\s+$/.test(part)) return /[^\w}]$/.test(before) || /^[^\w{]/.test(after) ? '\\s*' : '\\s+';
  return part.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

function writerOf(typed: string | RegExp, write: string): Writer {
  if (typeof typed !== 'string')
    return (...groups) => write.replace(/\$(\d)/g, (_, group) => groups[group - 1] ?? '');
  const names = [...typed.matchAll(PART)].map(([, name, digit]) => `${name}${digit}`);
  return (...groups) => {
    let isComplete = true;
    const text = write.replace(PART, (_part, name: string, digit: string, form = '') => {
      const value = groups[names.indexOf(`${name}${digit}`)] ?? '';
      const written = (WRITTEN[`${name}${form}`] ?? String)(value);
      isComplete &&= written !== '' || value.trim() === '';
      return written;
    });
    return isComplete ? text : '';
  };
}

/** What to write for an example of the phrase. */
function example(typed: string | RegExp, pattern: RegExp, write: Writer): string {
  const sample = String(typed).replace(PART, (_part, name: string, digit: string) => {
    return PLACEHOLDERS[name]![1] + (name.startsWith('field') ? digit : '');
  });
  const [, ...groups] = pattern.exec(sample) ?? [];
  return `For ${sample}, write ${write(...groups)}.`;
}
