import type { PipelineNode } from '../ast.ts';
import { positionAt } from '../source.ts';
import { QuerySyntaxError } from '../syntax-error.ts';
import { parseTree } from '../syntax-tree.ts';
import { checkPlaces } from './call-places.ts';
import type { Finding } from './diagnostic.ts';
import { type ForeignQuery, foreignPhraseAt, foreignPhrases, readForeign } from './foreign-phrases.ts';
import type { KnownSource } from './known-source.ts';
import { checkOrder } from './operator-order.ts';
import { checkCost, checkFields, checkGoneFields, checkSubqueryFields } from './pipeline-checks.ts';
import { checkRegexes } from './regex-checks.ts';
import { silentMistakes } from './silent-mistakes.ts';
import { checkSource } from './source-checks.ts';
import { repairsOf } from './syntax-repair.ts';
import { checkCalls, checkSteps } from './tree-checks.ts';

/** The problems of a query, with fixes that have not been checked. Of syntax errors, only the first. */
export function problemsOf(query: string, source: KnownSource = {}, isPartial = false): readonly Finding[] {
  let tree: PipelineNode;
  try {
    tree = parseTree(query);
  } catch (error) {
    if (error instanceof QuerySyntaxError) return [syntaxProblem(query, error)];
    throw error;
  }
  const found = [...checkCalls(tree, query), ...checkSteps(tree), ...checkPlaces(tree)];
  const habits = foreignPhrases(query, tree).map((habit): Finding => {
    const isError = found.some((error) => covers(habit, error));
    return isError ? { ...habit, severity: 'error' } : habit;
  });
  const errors = withoutCovered([...habits, ...found])
    .slice(habits.length)
    .map((error, place) => (place < MAX_EXPLAINED ? foreignPhraseAt(query, error.span) : undefined) ?? error);
  const findings = withoutCovered([...habits, ...errors]);
  const isComplete = !isPartial && findings.every(({ severity }) => severity !== 'error');
  return [
    ...findings,
    ...checkRegexes(tree, query),
    ...checkSource(tree, source),
    ...withoutCovered([...findings, ...silentMistakes(tree, query)]).slice(findings.length),
    ...checkOrder(tree, query),
    ...(isComplete
      ? [
          ...withoutCovered([
            ...habits,
            ...checkFields(tree, query),
            ...checkGoneFields(tree),
            ...checkSubqueryFields(tree, query),
          ]).slice(habits.length),
          ...checkCost(tree, query),
        ]
      : []),
  ];
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

function covers({ span: outer }: Finding, { span: inner }: Finding): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}

function syntaxProblem(query: string, error: QuerySyntaxError): Finding {
  const foreign = readForeign(query, error.span);
  const phrase = foreignError(foreign);
  if (phrase !== undefined) return phrase;
  const { line, column } = positionAt(query, error.span.start);
  const message = `${error.message.replace(` (line ${line}, column ${column})`, '')}.`;
  const span = {
    start: Math.min(error.span.start, query.length),
    end: Math.min(error.span.end, query.length),
  };
  const alternatives = [...foreign.edits, ...repairsOf(query, span)];
  return { code: 'syntax', severity: 'error', message, span, alternatives };
}

/** The phrase of another language around a syntax error. */
export function foreignError({ phrase, edits: [fix, ...alternatives] }: ForeignQuery): Finding | undefined {
  return phrase && { ...phrase, severity: 'error', fix, alternatives };
}
