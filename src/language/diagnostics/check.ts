import { refuseUnknownOptions, wrongKind } from '../../core/option-checks.ts';
import type { PipelineNode, Span } from '../ast.ts';
import { positionAt, textAt } from '../source.ts';
import { QuerySyntaxError } from '../syntax-error.ts';
import { isQuery, type ParsedQuery, parseTokens } from '../syntax-tree.ts';
import { walk } from '../walk.ts';
import { checkPlaces } from './call-places.ts';
import { applyEdits, type Diagnostic, error, type Finding } from './diagnostic.ts';
import { type ForeignQuery, foreignPhraseAt, foreignPhrases, readForeign } from './foreign-phrases.ts';
import { offers } from './offer.ts';
import { checkOrder } from './operator-order.ts';
import {
  checkCalls,
  checkCost,
  checkFields,
  checkGoneFields,
  checkSteps,
  checkSubqueryFields,
} from './pipeline-checks.ts';
import { checkRegexes } from './regex-checks.ts';
import { silentMistakes } from './silent-mistakes.ts';
import { checkSource, type KnownSource } from './source-checks.ts';
import { repairsOf } from './syntax-repair.ts';

/** Options of {@link check}. */
export interface CheckOptions {
  /**
   * Known events, files and saved queries. Other names are reported.
   *
   * @default {}
   */
  source?: KnownSource | undefined;
  /**
   * Parts of the text that stand for something unknown. Problems in them are not reported; phrases of other
   * languages around them have no fix.
   *
   * @default []
   */
  unknownParts?: readonly Span[] | undefined;
}

/**
 * Finds problems in a query, in the order of the text: errors, phrases of SPL, SQL, KQL, LogQL, Lucene and jq, fields that
 * no row can have, and filters that could come earlier. If the query can't be parsed, only the first syntax error is
 * reported. A fix is offered only if the changed query has no new problem.
 *
 * @throws LogOptionsException if an option is unknown
 * @example
 * ```ts
 * check('groupBy(host) | count > 5');
 * // [{ code: 'missing-field', severity: 'warning', span: { start: 16, end: 21 },
 * //    message: 'No row has the field "count" here: the steps before return only host, _count. Did you mean "_count"?',
 * //    fix: { span: { start: 16, end: 21 }, text: '_count' }, isSuggestion: true }]
 * ```
 */
export function check(query: string, options: CheckOptions = {}): readonly Diagnostic[] {
  refuseUnknownOptions('check', options, ['source', 'unknownParts']);
  const { source = {}, unknownParts = [] } = options;
  refuseUnknownOptions('check: source', source, ['fields', 'savedQueries', 'files']);
  for (const [name, known] of Object.entries(source)) {
    if (known !== undefined && !(Array.isArray(known) && known.every((one) => typeof one?.name === 'string')))
      throw wrongKind('check', `"source.${name}"`, 'an array of objects with a "name"', known);
  }
  const words = unknownParts.map(({ start, end }) => query.slice(start, end));
  const problems = (text: string) => problemsOf(text, source, words);
  const findings = problems(query)
    .flatMap((finding) => {
      const { span, isPhrase = false } = finding;
      const parts = unknownParts.filter((part) => part.start < span.end && span.start < part.end);
      if (parts.length === 0) return [finding];
      const isAround = parts.every((part) => span.start < part.start || part.end < span.end);
      if (!isPhrase || !isAround) return [];
      const message = parts.reduce(
        (text, { start, end }) => text.replaceAll(query.slice(start, end), '…'),
        finding.message,
      );
      return [{ ...finding, message, fix: undefined, alternatives: [] }];
    })
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  return offers(query, findings, problems);
}

/** Maximum number of times that a query is checked and fixed. */
const MAX_ROUNDS = 8;

/**
 * Applies the fixes of a query's problems until none is left.
 *
 * @param isWanted which fixes to apply. Default: none if the query can be parsed, because they change its meaning.
 */
export function fixQuery(
  query: string,
  options: CheckOptions = {},
  isWanted: (diagnostic: Diagnostic) => boolean = ({ isSuggestion }) => isSuggestion !== true,
): string {
  let text = query;
  let { unknownParts = [] } = options;
  const words = unknownParts.map(({ start, end }) => query.slice(start, end));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const wanted = check(text, { ...options, unknownParts }).filter((one) => one.fix && isWanted(one));
    // The first phrase of a valid query can decide what others mean.
    const fixes = wanted.map(({ fix }) => fix!);
    if (fixes.length === 0) return text;
    text = applyEdits(text, fixes);
    const at = (word: string) => text.indexOf(word);
    unknownParts = words.map((word) => ({ start: at(word), end: at(word) + word.length }));
  }
  return text;
}

/**
 * Finds what a valid query probably does not mean: phrases of other query languages, which only search for their words,
 * and values that are empty or wrong.
 */
export function diagnose(source: string, tree: PipelineNode): readonly Diagnostic[] {
  const findings = withoutCovered([...foreignPhrases(source, tree), ...silentMistakes(tree, source)]);
  return findings.length === 0 ? [] : offers(source, findings, problemsOf);
}

/**
 * Explains an error in a query by the phrase of another language around it.
 *
 * @param place where the error is
 */
export function explain(source: string, place: Span): Diagnostic | undefined {
  const phrase = isQuery(source) ? foreignPhraseAt(source, place) : foreignError(readForeign(source, place));
  return phrase && offers(source, [phrase], problemsOf)[0];
}

/** The problems of a query, with fixes that have not been checked. Of syntax errors, only the first. */
export function problemsOf(query: string, source: KnownSource = {}, unknown: readonly string[] = []) {
  let parsed: ParsedQuery;
  try {
    parsed = parseTokens(query);
  } catch (problem) {
    if (problem instanceof QuerySyntaxError) return [syntaxProblem(query, problem)];
    throw problem;
  }
  const { tree, tokens } = parsed;
  const found = [...checkCalls(tree, query), ...checkSteps(tree), ...checkPlaces(tree)];
  const habits = foreignPhrases(query, tree, tokens).map((habit): Finding => {
    const isError = found.some((problem) => covers(habit, problem));
    return isError ? { ...habit, severity: 'error' } : habit;
  });
  const errors = notCovered(habits, found).map(
    (one, place) => (place < MAX_EXPLAINED ? foreignPhraseAt(query, one.span) : undefined) ?? one,
  );
  const findings = withoutCovered([...habits, ...errors]);
  const known = knownSteps(tree, query, unknown);
  const isComplete = findings.every(({ severity }) => severity !== 'error');
  const rowsFound = () => [
    ...checkFields(known, query),
    ...checkGoneFields(known),
    ...checkSubqueryFields(known, query),
  ];
  return [
    ...findings,
    ...checkRegexes(tree, query),
    ...notCovered(findings, [...checkSource(tree, source), ...silentMistakes(tree, query)]),
    // In another language, the order is another one.
    ...(habits.length === 0 ? checkOrder(tree, query) : []),
    ...(isComplete ? [...notCovered(habits, rowsFound()), ...checkCost(known, query)] : []),
  ];
}

/** The steps before the first with an unknown word that is not the value of a comparison: it can be a step or a field. */
function knownSteps(tree: PipelineNode, query: string, unknown: readonly string[]): PipelineNode {
  const values: string[] = [];
  walk(tree, { Comparison: ({ value }) => void values.push(textAt(query, value.span)) });
  const open = unknown.filter((word) => !values.join().includes(word) || query.split(word).length > 2);
  const end = tree.steps.findIndex(({ span }) => open.some((word) => textAt(query, span).includes(word)));
  return end === -1 ? tree : { ...tree, steps: tree.steps.slice(0, end) };
}

/** Maximum number of errors whose phrase is searched for. */
const MAX_EXPLAINED = 10;
/** Maximum number of phrases whose inner problems are left out. */
const MAX_OUTER = 300;

/** Each phrase once, without problems inside a phrase. */
function withoutCovered(problems: readonly Finding[]): Finding[] {
  const outer = problems.slice(0, MAX_OUTER);
  return problems.filter(
    (one, place) => !outer.some((other, otherPlace) => otherPlace < place && covers(other, one)),
  );
}

/** Problems that are neither inside known ones nor inside each other. */
function notCovered(known: readonly Finding[], problems: readonly Finding[]): readonly Finding[] {
  return withoutCovered([...known, ...problems]).slice(known.length);
}

function covers({ span: outer }: Finding, { span: inner }: Finding): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}

function syntaxProblem(query: string, problem: QuerySyntaxError): Finding {
  const foreign = readForeign(query, problem.span);
  const phrase = foreignError(foreign);
  if (phrase !== undefined) return phrase;
  const { line, column } = positionAt(query, problem.span.start);
  const message = `${problem.message.replace(` (line ${line}, column ${column})`, '')}.`;
  const start = Math.min(problem.span.start, query.length);
  const span = { start, end: Math.min(problem.span.end, query.length) };
  const alternatives = [...foreign.edits, ...repairsOf(query, span)];
  return { ...error('syntax', span, message), alternatives };
}

/** The phrase of another language around a syntax error. */
export function foreignError({ phrase, edits: [fix, ...alternatives] }: ForeignQuery): Finding | undefined {
  return phrase && { ...phrase, severity: 'error', fix, alternatives };
}
