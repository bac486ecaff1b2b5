import { type Fields, writeField } from '../event.ts';
import { QueryLimitError } from '../query-limit-error.ts';
import { metered } from '../run/event-cost.ts';
import { limitedText, MAX_TEXT_LENGTH, TextLengthError } from '../text/text-limit.ts';
import { backtrackingLimit } from './backtracking-limit.ts';
import { linearRegex } from './linear-regex.ts';
import { nativeRegex } from './native-regex.ts';
import { type RegexEngine, RegexError } from './regex-error.ts';
import { parseRegex } from './regex-parser.ts';
import { isLinear } from './regex-source.ts';
import { canBeEmpty, type NamedGroup, type ParsedRegex, type RegexNode, someNode } from './regex-syntax.ts';

/** Valid flags. `F` selects one of the service's engines and has no effect here. */
const FLAGS = 'imdgF';

export interface RegexSource {
  readonly body: string;
  readonly flags: string;
}

export interface Regex {
  /** Whether any part of the text matches. */
  test(text: string): boolean;
  /** The first match. */
  exec(text: string): RegExpExecArray | null;
  /** All matches, at most `limit`, found lazily. */
  matches(text: string, limit?: number): Iterable<RegExpExecArray>;
  /** Replaces each match with the result of `substitute`. @throws TextLengthError */
  replace(text: string, substitute: (match: readonly (string | undefined)[]) => string): string;
  readonly groups: readonly NamedGroup[];
  /** Named and numbered groups. */
  readonly groupCount: number;
  /** Flag `g`: one event per match. */
  readonly isRepeating: boolean;
  /** Whether every match is also a match within a longer text: nothing in the expression checks what is around it. */
  readonly isPart: boolean;
}

/**
 * Compiles a regular expression.
 *
 * JavaScript's engine is the fastest, but backtracking can take exponential time. {@link backtrackingLimit} decides up
 * to which length of text it runs. Longer text goes to RE2, whose time is linear. RE2 has no look-around,
 * backreferences or atomic groups: expressions with these fail on longer text.
 *
 * @throws RegexError
 */
export function compileRegex({ body, flags }: RegexSource): Regex {
  const unknown = [...flags].find((flag) => !FLAGS.includes(flag));
  if (unknown !== undefined) throw new RegexError(`unknown flag "${unknown}": use i, m, d, g or F`);
  const parsed = parseRegex(body, {
    ignoreCase: flags.includes('i'),
    multiline: flags.includes('m'),
    dotAll: flags.includes('d'),
  });
  const engine = compileSearch(parsed);
  const { groups, groupCount } = parsed;
  return {
    test: (text) => engine.test(metered(text)),
    exec: (text) => engine.exec(metered(text), 0),
    matches: (text, limit = Number.POSITIVE_INFINITY) => findAll(engine, text, limit),
    replace: (text, substitute) => replaceAll(engine, text, substitute),
    groups,
    groupCount,
    isRepeating: flags.includes('g'),
    isPart: !someNode(
      parsed.root,
      ({ kind }) => kind === 'Assertion' || kind === 'Look' || kind === 'Atomic',
    ),
  };
}

function compileSearch(parsed: ParsedRegex): RegexEngine {
  const { root, groupCount } = parsed;
  const native = nativeRegex(root);
  const limit = backtrackingLimit(root);
  if (!isLinear(root)) return withLimit(native, limit);
  const length = forgetsDifferently(root) ? 0 : limit;
  if (length === Number.POSITIVE_INFINITY) return native;
  let linear: RegexEngine | undefined;
  const engineFor = (text: string): RegexEngine => {
    if (text.length <= length) return native;
    linear ??= linearRegex(root, groupCount) ?? withLimit(native, limit);
    return linear;
  };
  return {
    test: (text) => engineFor(text).test(text),
    exec: (text, from) => engineFor(text).exec(text, from),
  };
}

/** Fails if the text is too long for backtracking. @throws RegexError if the limit is 0. */
function withLimit(engine: RegexEngine, limit: number): RegexEngine {
  if (limit === Number.POSITIVE_INFINITY) return engine;
  if (limit === 0) {
    throw new RegexError(
      'it can take exponential time: with look-around, backreferences or atomic groups, a repeated group must have a fixed length',
    );
  }
  const check = (text: string): string => {
    if (text.length <= limit) return text;
    throw new QueryLimitError(
      `a regular expression with look-around, backreferences or atomic groups can search at most ${limit} characters here, but a value has ${text.length}.`,
    );
  };
  return { test: (text) => engine.test(check(text)), exec: (text, from) => engine.exec(check(text), from) };
}

/**
 * Whether JavaScript's matches could differ from those of other engines: it resets groups at each repetition, and
 * treats empty repetitions differently.
 */
export function forgetsDifferently(root: RegexNode): boolean {
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

function hasGroups(node: RegexNode): boolean {
  return someNode(node, (inner) => inner.kind === 'Group' && inner.index !== undefined);
}

function* findAll({ exec }: RegexEngine, text: string, limit: number): Generator<RegExpExecArray, void> {
  let from = 0;
  for (let found = 0; found < limit && from <= text.length; found++) {
    const match = exec(text, from);
    if (match === null) return;
    yield match;
    from = endOf(match, text);
  }
}

/** Where the search continues: the same empty match must not be found again. */
function endOf({ 0: matched, index }: RegExpExecArray, text: string): number {
  if (matched !== '') return index + matched.length;
  return index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
}

function replaceAll(
  engine: RegexEngine,
  text: string,
  substitute: (match: readonly (string | undefined)[]) => string,
): string {
  let result = '';
  let rest = 0;
  for (const match of findAll(engine, text, Number.POSITIVE_INFINITY)) {
    // As in RE2, an empty match directly after a match is ignored.
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
