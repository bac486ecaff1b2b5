import { singleCharacter } from '../../language/regex/character-set.ts';
import { type RegexSource, readRegex } from '../../language/regex/regex-parser.ts';
import {
  canBeEmpty,
  hasGroups,
  type NamedGroup,
  type ParsedRegex,
  type RegexNode,
  someNode,
} from '../../language/regex/regex-syntax.ts';
import { type Fields, writeField } from '../event.ts';
import { metered } from '../run/event-cost.ts';
import { longestOf } from '../text/glob.ts';
import { limitedText, MAX_TEXT_LENGTH, TextLengthError } from '../text/text-limit.ts';
import { backtrackingLimit } from './backtracking-limit.ts';
import { backtrackingMatcher } from './backtracking-matcher.ts';
import { nativeRegex } from './native-regex.ts';
import type { RegexEngine, SearchingRun } from './regex-engine.ts';
import { after } from './regex-program.ts';

/** Results are `undefined` if they are undecided. Without a run, searches are unlimited. */
export interface Regex {
  /** Whether any part of the text matches. */
  test(text: string, run?: SearchingRun): boolean | undefined;
  /** The first match. */
  exec(text: string, run?: SearchingRun): RegExpExecArray | null | undefined;
  /** All matches, at most `limit`, found lazily. The last one is `undefined` if the rest is undecided. */
  matches(text: string, limit?: number, run?: SearchingRun): Iterable<RegExpExecArray | undefined>;
  /** Replaces each match with the result of `substitute`. @throws TextLengthError */
  replace(text: string, substitute: Substitute, run?: SearchingRun): string | undefined;
  readonly groups: readonly NamedGroup[];
  /** Named and numbered groups. */
  readonly groupCount: number;
  /** Flag `g`: one event per match. */
  readonly isRepeating: boolean;
  /** Whether every match is also a match within a longer text: nothing in the expression checks what is around it. */
  readonly isPart: boolean;
  /** A string that every match contains; empty if none is known. */
  readonly literal: string;
}

export type Substitute = (match: readonly (string | undefined)[]) => string;

/**
 * Compiles a regular expression.
 *
 * JavaScript's engine is the fastest, but backtracking can take exponential time. {@link backtrackingLimit} decides up
 * to which length of text it runs. Longer text goes to {@link backtrackingMatcher}, whose time is limited by the budget
 * of the run.
 *
 * @throws RegexError
 */
export function compileRegex(source: RegexSource): Regex {
  const { body, flags } = source;
  const parsed = readRegex(source);
  const engine = compileSearch(parsed, `/${body}/`);
  const { groups, groupCount } = parsed;
  return {
    test: engine.test,
    exec: (text, run) => engine.exec(metered(text), 0, run),
    matches: (text, limit = Number.POSITIVE_INFINITY, run) => findAll(engine, text, limit, run),
    replace: (text, substitute, run) => replaceAll(engine, text, substitute, run),
    groups,
    groupCount,
    isRepeating: flags.includes('g'),
    isPart: !someNode(
      parsed.root,
      ({ kind }) => kind === 'Assertion' || kind === 'Look' || kind === 'Atomic',
    ),
    literal: literalOf(parsed.root),
  };
}

/** The longest string of single characters that every match contains. */
function literalOf(root: RegexNode): string {
  const literals = [''];
  for (const item of root.kind === 'Sequence' ? root.items : [root]) {
    const code = item.kind === 'Set' ? singleCharacter(item.set) : undefined;
    if (code === undefined) literals.push(item.kind === 'Group' ? literalOf(item.body) : '', '');
    else literals[literals.length - 1] += String.fromCodePoint(code);
  }
  return longestOf(literals);
}

function compileSearch({ root, groupCount }: ParsedRegex, name: string): RegexEngine {
  const native = nativeRegex(root);
  const limit = native === undefined || resetsGroupsDifferently(root) ? -1 : backtrackingLimit(root);
  if (native !== undefined && limit === Number.POSITIVE_INFINITY) return native;
  let matcher: RegexEngine | undefined;
  const engineFor = ({ length }: string): RegexEngine => {
    if (native !== undefined && length <= limit) return native;
    matcher ??= backtrackingMatcher(root, groupCount, name);
    return matcher;
  };
  return {
    test: (text, run) => engineFor(text).test(text, run),
    exec: (text, from, run) => engineFor(text).exec(text, from, run),
  };
}

/**
 * Whether JavaScript's matches could differ from those of other engines: it resets groups at each repetition, and
 * treats empty repetitions differently.
 */
export function resetsGroupsDifferently(root: RegexNode): boolean {
  return someNode(root, (node) => {
    if (node.kind !== 'Repeat') return false;
    return canBeEmpty(node.body) || (node.max > 1 && someNode(node.body, mayBeSkipped));
  });
}

/** Whether a part contains groups that a match can skip. */
function mayBeSkipped(node: RegexNode): boolean {
  const canSkip = node.kind === 'Alternation' || (node.kind === 'Repeat' && node.min === 0);
  return canSkip && hasGroups(node);
}

function* findAll(
  { exec }: RegexEngine,
  text: string,
  limit: number,
  run: SearchingRun | undefined,
): Generator<RegExpExecArray | undefined, void> {
  let from = 0;
  for (let count = 0; count < limit && from <= text.length; count++) {
    const match = exec(text, from, run);
    if (match === null) return;
    yield match;
    if (match === undefined) return;
    // The same empty match must not be found again.
    from = match[0] === '' ? after(text, match.index) : match.index + match[0].length;
  }
}

function replaceAll(
  engine: RegexEngine,
  text: string,
  substitute: Substitute,
  run: SearchingRun | undefined,
): string | undefined {
  let result = '';
  let rest = 0;
  for (const match of findAll(engine, text, Number.POSITIVE_INFINITY, run)) {
    if (match === undefined) return undefined;
    // An empty match directly after a match is ignored.
    if (match[0] === '' && match.index === rest && rest > 0) continue;
    result += text.slice(rest, match.index) + substitute(match);
    if (result.length > MAX_TEXT_LENGTH) throw new TextLengthError();
    rest = match.index + match[0].length;
  }
  return limitedText(result + text.slice(rest));
}

/** Writes the named groups that took part in a match to fields. */
export function writeGroups(row: Fields, groups: readonly NamedGroup[], match: RegExpExecArray): void {
  for (const { name, index } of groups) {
    const value = match[index];
    if (value !== undefined) writeField(row, name, value);
  }
}
