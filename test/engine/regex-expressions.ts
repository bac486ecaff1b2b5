import fc from 'fast-check';
import type { RegexEngine } from '../../src/engine/regex/regex-engine.ts';

const atom = fc.constantFrom(
  ...['a', 'b', 'é', '.', '[ab]', '[^a]', '\\w', '\\s', '\\d', '\\S', '\\W', '^', '$', '\\b', '\\B', '\\A'],
  ...[
    '\\z',
    '\\R',
    '[é-ü]',
    '\\x41',
    '[A-C]',
    ' ',
    '\\n',
    '😀',
    '[[:alpha:]]',
    '\\p{Lu}',
    '[^\\p{Ll}]',
    '\\h',
  ],
  '-',
);
const quantifier = fc.constantFrom(
  ...['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{2,}', '{0,2}?'],
);
const PLAIN_GROUPS = ['(', '(?:', '(?<x.y>', '(?P<@z>', '(?i:', '(?s:', '(?-m:'];
const OTHER_GROUPS = ['(?=', '(?!', '(?<=', '(?<!', '(?>'];

/** Regular expressions; with `others` also look-around, atomic groups and references. */
export function expressions(others: boolean): fc.Arbitrary<string> {
  const opening = fc.constantFrom(...PLAIN_GROUPS, ...(others ? OTHER_GROUPS : []));
  const last = fc.constantFrom('', ...(others ? ['', '\\1', '(?i)\\1', '\\2'] : []));
  const { any } = fc.letrec<{ any: string; part: string; group: string }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      fc.tuple(tie('any'), tie('any')).map(([one, other]) => `${one}|${other}`),
    ),
    part: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc
        .tuple(atom, quantifier)
        .map(([text, times]) => (/^(?:[\^$]|\\[bBAz])$/.test(text) ? text : text + times)),
      fc
        .tuple(tie('group'), quantifier)
        .map(([text, times]) => (/^\(\?<?[=!]/.test(text) ? text : text + times)),
    ),
    group: fc.tuple(opening, tie('any')).map(([start, body]) => `${start}${body})`),
  }));
  return fc.tuple(any, last).map(([start, end]) => start + end);
}

export const subjects = fc
  .array(fc.constantFrom('a', 'b', 'A', 'B', 'é', 'É', ' ', '\n', '\r', '\u2028', '1', '-', '😀', '\t'), {
    maxLength: 14,
  })
  .map((characters) => characters.join(''));

export const modes = fc.record({ ignoreCase: fc.boolean(), multiline: fc.boolean(), dotAll: fc.boolean() });

/** Position, text and groups of all matches. */
export function allMatches(engine: RegexEngine, subject: string): unknown[] {
  const found: unknown[] = [];
  for (let from = 0; from <= subject.length; ) {
    const match = engine.exec(subject, from);
    if (match === undefined) throw new Error('The search is undecided.');
    if (match === null) break;
    found.push([match.index, ...match]);
    from = match.index + Math.max(match[0].length, (subject.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1);
  }
  return found;
}
