import { refuseUnknownOptions } from '../../internal/option-checks.ts';
import type { PipelineNode, Span } from '../ast.ts';
import { parse } from '../parse.ts';
import { positionAt } from '../source.ts';
import { QuerySyntaxError } from '../syntax-error.ts';
import { diagnose, explain } from './diagnose.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { KnownSource } from './known-source.ts';
import { checkCost, checkFields } from './pipeline-checks.ts';
import { checkSource } from './source-checks.ts';
import { applyEdit, repairOf } from './syntax-repair.ts';
import { checkCalls, checkRegexes, checkSteps } from './tree-checks.ts';

/** Options of {@link check}. */
export interface CheckOptions {
  /**
   * Known events, files and saved queries. Other names are reported.
   *
   * @default {}
   */
  source?: KnownSource;
  /**
   * Parts of the text that stand for something unknown. Problems in them are not reported.
   *
   * @default []
   */
  unknownParts?: readonly Span[];
}

/**
 * Finds problems in a query, in the order of the text: errors, phrases of SPL, SQL, KQL and Lucene, fields that no row
 * can have, and filters that could come earlier. If the query can't be parsed, only the first syntax error is reported.
 *
 * @throws LogOptionsException if an option is unknown
 * @example
 * ```ts
 * check('groupBy(host) | count > 5');
 * // [{ code: 'missing-field', severity: 'warning', span: { start: 16, end: 21 },
 * //    message: 'No row has the field "count" here: the steps before return only host, _count. Did you mean "_count"?',
 * //    fix: { span: { start: 16, end: 21 }, text: '_count' } }]
 * ```
 */
export function check(query: string, options: CheckOptions = {}): readonly Diagnostic[] {
  refuseUnknownOptions('check', options, ['source', 'unknownParts']);
  const { source = {}, unknownParts = [] } = options;
  const found = problemsOf(query, source, unknownParts.length > 0);
  return found
    .filter(({ span }) => !unknownParts.some((part) => part.start < span.end && span.start < part.end))
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

function problemsOf(query: string, source: KnownSource, isPartial: boolean): readonly Diagnostic[] {
  let tree: PipelineNode;
  try {
    tree = parse(query);
  } catch (error) {
    if (error instanceof QuerySyntaxError) return [syntaxProblem(query, error)];
    throw error;
  }
  const habits = diagnose(query, tree);
  const errors = [...checkCalls(tree, query), ...checkSteps(tree)].map((error) => explained(query, error));
  const found = withoutCovered([
    ...errors.filter(({ code }) => habits.some((habit) => habit.code === code)),
    ...habits,
    ...errors,
  ]);
  const isComplete = !isPartial && found.every(({ severity }) => severity !== 'error');
  return [
    ...found,
    ...checkRegexes(tree),
    ...checkSource(tree, source),
    ...(isComplete
      ? [
          ...withoutCovered([...habits, ...checkFields(tree, query)]).slice(habits.length),
          ...checkCost(tree, query),
        ]
      : []),
  ];
}

/** The problem, explained by the phrase of another language around it, if any. */
function explained(query: string, problem: Diagnostic): Diagnostic {
  return explain(query, problem.span) ?? problem;
}

/** Each phrase once, without problems inside a phrase. */
function withoutCovered(problems: readonly Diagnostic[]): Diagnostic[] {
  return problems.filter(
    (one, place) =>
      !problems.some(
        (other, otherPlace) =>
          otherPlace < place && other.span.start <= one.span.start && other.span.end >= one.span.end,
      ),
  );
}

function syntaxProblem(query: string, error: QuerySyntaxError): Diagnostic {
  const phrase = explain(query, error.span);
  if (phrase?.fix !== undefined && isQuery(applyEdit(query, phrase.fix))) return phrase;
  const { line, column } = positionAt(query, error.span.start);
  const message = `${error.message.replace(` (line ${line}, column ${column})`, '')}.`;
  const span = {
    start: Math.min(error.span.start, query.length),
    end: Math.min(error.span.end, query.length),
  };
  const fix =
    phrase === undefined
      ? (repairOf(query, span, isQuery) ?? repairOf(query, span, isPhraseAway))
      : undefined;
  return { code: phrase?.code ?? 'syntax', severity: 'error', message, span, ...(fix && { fix }) };
}

function isQuery(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether replacing one phrase of another language makes the text a query. */
function isPhraseAway(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    const phrase = error instanceof QuerySyntaxError ? explain(text, error.span) : undefined;
    return phrase?.fix !== undefined && isQuery(applyEdit(text, phrase.fix));
  }
}

/** Maximum number of fixes of one query. */
const MAX_FIXES = 100;

/**
 * Applies the fixes of a query's problems, one at a time, until none is left.
 *
 * @param isWanted which fixes to apply. Default: those of errors and warnings.
 */
export function fixQuery(
  query: string,
  options: CheckOptions = {},
  isWanted: (diagnostic: Diagnostic) => boolean = ({ severity }) => severity !== 'info',
): string {
  let text = query;
  for (let round = 0; round < MAX_FIXES; round += 1) {
    const next = check(text, options).find((one) => one.fix !== undefined && isWanted(one))?.fix;
    if (next === undefined) return text;
    const changed = applyEdit(text, next);
    if (changed === text) return text;
    text = changed;
  }
  return text;
}
