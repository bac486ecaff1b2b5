import type { Fields } from './event.ts';
import { writeField } from './event.ts';
import { RegexError } from './regex-error.ts';
import { type NamedGroup, translateRegex } from './regex-translation.ts';

/** The flags that a regular expression may carry. `F` chooses an engine of the service and changes nothing here. */
const FLAGS = 'imdgF';

export interface RegexSource {
  readonly body: string;
  readonly flags: string;
}

/** A regular expression, ready to run. */
export interface Regex {
  /** Whether some part of the text matches. */
  test(text: string): boolean;
  /** The first match. */
  exec(text: string): RegExpExecArray | null;
  /** All matches, at most `limit` of them. */
  execAll(text: string, limit?: number): RegExpExecArray[];
  /** The text with each match replaced by what `substitute` makes of it. */
  replace(text: string, substitute: (match: readonly (string | undefined)[]) => string): string;
  readonly groups: readonly NamedGroup[];
  /** Named and numbered groups. */
  readonly groupCount: number;
  /** Flag `g`: one event for each match. */
  readonly isRepeating: boolean;
}

/** @throws RegexError */
export function compileRegex({ body, flags }: RegexSource): Regex {
  const unknown = [...flags].find((flag) => !FLAGS.includes(flag));
  if (unknown !== undefined) throw new RegexError(`there is no flag "${unknown}", only i, m, d, g and F`);
  const translated = translateRegex(body, {
    ignoreCase: flags.includes('i'),
    multiline: flags.includes('m'),
    dotAll: flags.includes('d'),
  });
  const first = newRegExp(translated.source, translated.flags);
  const all = newRegExp(translated.source, `${translated.flags}g`);
  return {
    test: (text) => first.test(text),
    exec: (text) => first.exec(text),
    execAll: (text, limit = Number.POSITIVE_INFINITY) => takeMatches(text.matchAll(all), limit),
    replace: (text, substitute) => text.replace(all, (...match: string[]) => substitute(match)),
    groups: translated.groups,
    groupCount: translated.groupCount,
    isRepeating: flags.includes('g'),
  };
}

function newRegExp(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    // "Invalid regular expression: /source/flags: reason"
    throw new RegexError((error as Error).message.replace(/^.*: /s, '').toLowerCase());
  }
}

function takeMatches(matches: Iterable<RegExpExecArray>, limit: number): RegExpExecArray[] {
  const taken: RegExpExecArray[] = [];
  for (const match of matches) {
    if (taken.length >= limit) break;
    taken.push(match);
  }
  return taken;
}

/** Makes fields of the named groups that took part in a match. */
export function writeGroups(row: Fields, groups: readonly NamedGroup[], match: RegExpExecArray): void {
  for (const { name, index } of groups) {
    const value = match[index];
    if (value !== undefined) writeField(row, name, value);
  }
}
