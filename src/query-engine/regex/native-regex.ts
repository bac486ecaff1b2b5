import { type RegexEngine, RegexError } from './regex-error.ts';
import { printJavaScript } from './regex-source.ts';
import { canBeEmpty, type RegexNode } from './regex-syntax.ts';

const LONG_SOURCE = 10_000;

/** JavaScript's own engine. @throws RegexError if the expression is too large for it. */
export function nativeRegex(root: RegexNode): RegexEngine {
  const { source, flags, places } = printJavaScript(root);
  const first = compile(source, flags);
  const next = new RegExp(source, `${flags}g`);
  const exec = (text: string, from: number): RegExpExecArray | null => {
    let match = from === 0 ? first.exec(text) : execFrom(next, text, from);
    // V8 also finds empty matches between the halves of a surrogate pair.
    while (match !== null && match[0] === '' && isInsidePair(text, match.index)) {
      match = execFrom(next, text, match.index + 1);
    }
    return match === null || places === undefined ? match : reorder(match, places);
  };
  return { exec, test: canBeEmpty(root) ? (text) => exec(text, 0) !== null : (text) => first.test(text) };
}

function execFrom(regex: RegExp, text: string, from: number): RegExpExecArray | null {
  regex.lastIndex = from;
  return regex.exec(text);
}

function isInsidePair(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

function compile(source: string, flags: string): RegExp {
  try {
    const regex = new RegExp(source, flags);
    // V8 reports expressions that are too large on first use.
    if (source.length > LONG_SOURCE) regex.test('');
    return regex;
  } catch (error) {
    // "Invalid regular expression: /source/flags: reason"
    throw new RegexError((error as Error).message.replace(/^.*: /s, '').toLowerCase());
  }
}

/** Reorders the groups of a match as the query numbers them. */
function reorder(match: RegExpExecArray, places: readonly number[]): RegExpExecArray {
  const groups = places.map((place) => match[place]!) as [string, ...string[]];
  return Object.assign(groups, { index: match.index, input: match.input });
}
