import { RE2JS } from 're2js';
import { type CharacterSet, LINE_BREAKS } from '../../query-language/regex/character-set.ts';
import { type RegexNode, someNode } from '../../query-language/regex/regex-syntax.ts';
import type { RegexEngine } from './regex-engine.ts';
import { printRe2 } from './regex-source.ts';

/**
 * Maximum cost of one search, as characters of the expression times characters of the value: about a tenth of a second.
 */
const MAX_STEPS = 20_000_000;
/** Minimum cost per character, even for short expressions. */
const BASE_STEPS = 100;
/** Longer expressions take too long to compile. */
const MAX_SOURCE_LENGTH = 10_000;

/** RE2 for an expression, and the maximum length of the text that it searches. */
export interface LinearRegex extends RegexEngine {
  readonly maxLength: number;
}

/**
 * RE2, whose time is linear in the text for any expression.
 *
 * RE2 only knows `\n` as a line break. If the expression treats all line breaks alike, they are replaced by `\n` for
 * the search.
 *
 * @returns `undefined` if the expression is too large for RE2.
 */
export function linearRegex(root: RegexNode, groupCount: number): LinearRegex | undefined {
  const source = printRe2(root);
  const compiled = source.length > MAX_SOURCE_LENGTH ? undefined : compile(source);
  if (compiled === undefined) return undefined;
  const hasLines = someNode(
    root,
    (node) => node.kind === 'Assertion' && (node.assertion === 'lineStart' || node.assertion === 'lineEnd'),
  );
  const unifies =
    hasLines && !someNode(root, (node) => node.kind === 'Set' && tellsLineBreaksApart(node.set));
  const search = (text: string, from: number): RegExpExecArray | null => {
    const searched = unifies ? text.replace(OTHER_BREAKS, '\n') : text;
    const matcher = compiled.matcher(searched);
    if (!matcher.find(from)) return null;
    const groups = Array.from({ length: groupCount + 1 }, (_, group) => {
      const start = matcher.start(group);
      return start < 0 ? undefined : text.slice(start, matcher.end(group));
    });
    return Object.assign(groups as [string, ...string[]], { index: matcher.start(), input: text });
  };
  return {
    maxLength: Math.floor(MAX_STEPS / (BASE_STEPS + source.length)),
    test: (text) => search(text, 0) !== null,
    exec: search,
  };
}

const OTHER_BREAKS = /[\r\u2028\u2029]/g;

function compile(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch {
    return undefined;
  }
}

/** Whether a set contains some line breaks but not all. */
function tellsLineBreaksApart({ ranges, properties }: CharacterSet): boolean {
  if (properties.length > 0) return true;
  const has = (code: number): boolean => ranges.some(([from, to]) => from <= code && code <= to);
  const found = LINE_BREAKS.ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, n) => has(from + n)),
  );
  return new Set(found).size > 1;
}
