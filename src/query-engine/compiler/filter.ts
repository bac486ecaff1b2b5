import { regexWarnings } from '../../query-language/diagnostics/regex-syntax.ts';
import type {
  CallNode,
  ComparisonNode,
  ExpressionNode,
  FilterNode,
  NotNode,
  OrNode,
  ParameterNode,
  PatternNode,
  PipelineNode,
  RegexNode,
  SavedQueryNode,
  StepNode,
} from '../../query-language/index.ts';
import {
  allTests,
  type EventTest,
  fieldTest,
  notTest,
  numberTest,
  readsOfAll,
  someTest,
  withColumns,
} from '../columns/column-test.ts';
import { type FreeText, freeTextTest } from '../columns/free-text-test.ts';
import { columnsOf } from '../columns/row-test.ts';
import { compileRegex, type Regex } from '../regex/regex.ts';
import { RegexError } from '../regex/regex-error.ts';
import { compileGlob, matchesEverything, type TextMatcher } from '../text/glob.ts';
import { parseNumber } from '../value.ts';
import { matchesAnyField } from './free-text.ts';
import type { Predicate, Scope } from './scope.ts';

/**
 * Compiles a filter to a function that only says yes or no.
 *
 * @throws QueryError for a regular expression with named groups: it would have to change the event.
 */
export function compileFilter(node: FilterNode, scope: Scope): Predicate {
  switch (node.kind) {
    case 'And':
      return allOf(node.operands.map((operand) => compileFilter(operand, scope)));
    case 'Or':
      return compileOr(node, scope);
    case 'Not':
      return compileNot(node, scope);
    case 'Boolean':
      return withColumns(() => node.value, { reads: [], inTable: () => node.value });
    case 'Comparison':
      return compileComparison(node, scope);
    case 'FreeText':
      return compileFreeText(node.value, scope);
    case 'Call':
      return compileFilterCall({ call: node, negated: false }, scope);
  }
}

/** Compiles `/…/flags` of a filter, in which `^` and `$` always match at lines. */
export function compileRegexNode(node: RegexNode, scope: Scope): Regex {
  try {
    const regex = compileRegex({ body: node.body, flags: `m${node.flags}` });
    for (const { message } of regexWarnings(node.body)) scope.warn(message);
    return regex;
  } catch (error) {
    if (error instanceof RegexError) {
      return scope.fail(node.span, `Invalid regular expression: ${error.message}`);
    }
    throw error;
  }
}

/** The text of a pattern; a parameter without a value is `*`. */
export function patternText(node: PatternNode | ParameterNode, scope: Scope): string {
  return node.kind === 'Pattern' ? node.text : scope.parameter(node).text;
}

function allOf(predicates: readonly Predicate[]): Predicate {
  const [first, second] = predicates;
  const test: Predicate =
    predicates.length === 2 && first && second
      ? (row, stored, run) => first(row, stored, run) && second(row, stored, run)
      : (row, stored, run) => predicates.every((predicate) => predicate(row, stored, run));
  return combined(test, predicates, allTests);
}

function compileOr({ operands }: OrNode, scope: Scope): Predicate {
  const predicates = operands.map((operand) => compileFilter(operand, scope));
  const [first, second] = predicates;
  const test: Predicate =
    predicates.length === 2 && first && second
      ? (row, stored, run) => first(row, stored, run) || second(row, stored, run)
      : (row, stored, run) => predicates.some((predicate) => predicate(row, stored, run));
  return combined(test, predicates, someTest);
}

function compileNot({ operand }: NotNode, scope: Scope): Predicate {
  if (operand.kind === 'Call') return compileFilterCall({ call: operand, negated: true }, scope);
  return negation(compileFilter(operand, scope));
}

function negation(predicate: Predicate): Predicate {
  return combined(
    (row, stored, run) => !predicate(row, stored, run),
    [predicate],
    ([test = false]) => notTest(test),
  );
}

/** Looks at columns where all that it consists of can do that. */
function combined(
  test: Predicate,
  parts: readonly Predicate[],
  combine: (tests: readonly EventTest[]) => EventTest,
): Predicate {
  const inColumns = parts.flatMap((part) => columnsOf(part) ?? []);
  if (inColumns.length < parts.length) return test;
  return withColumns(test, {
    reads: readsOfAll(parts),
    inTable: (table, run) => combine(inColumns.map(({ inTable }) => inTable(table, run))),
  });
}

function compileComparison(node: ComparisonNode, scope: Scope): Predicate {
  const { field, operator, value } = node;
  if (operator === '<=>') {
    return scope.fail(
      node.span,
      'The operator <=> links the queries of correlate() and is only allowed there, joined with "and"',
    );
  }
  if (value.kind === 'Call') {
    return compileFilterCall({ call: value, field: field.name, negated: operator === '!=' }, scope);
  }
  if (operator === '=' || operator === '!=' || operator === 'like') {
    return compileTextComparison(node, scope);
  }
  const compare = ORDERINGS[operator];
  const bound = compileBound(node, scope);
  return numberTest(field.name, (number) => compare(number, bound));
}

const ORDERINGS: Readonly<Record<'<' | '<=' | '>' | '>=', (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

function compileBound({ operator, value }: ComparisonNode, scope: Scope): number {
  if (value.kind === 'Number') return parseNumber(value.text) ?? Number.NaN;
  const parameter = value.kind === 'Parameter' ? scope.parameter(value) : { text: '', given: true };
  const bound = parseNumber(parameter.text);
  if (bound !== undefined) return bound;
  const found = parameter.given ? `is ${JSON.stringify(parameter.text)}` : 'has no value';
  return scope.fail(value.span, `${operator} needs a number, but ${scope.textAt(value.span)} ${found}`);
}

function compileTextComparison({ field, operator, value }: ComparisonNode, scope: Scope): Predicate {
  const { name } = field;
  const negated = operator === '!=';
  if (value.kind === 'Regex') {
    const regex = compileRegexNode(value, scope);
    if (!negated) refuseNamedGroups(regex, value, scope);
    return fieldMatches(name, regex.test, negated);
  }
  const pattern = value.kind === 'Pattern' || value.kind === 'Parameter' ? patternText(value, scope) : '';
  return compileFieldPattern(name, pattern, { anchored: operator !== 'like', negated });
}

/** `field = pattern` and its kin. */
export function compileFieldPattern(
  name: string,
  pattern: string,
  options: { anchored: boolean; negated?: boolean; ignoreCase?: boolean },
): Predicate {
  const { negated = false } = options;
  if (matchesEverything(pattern)) return fieldTest(name, (value) => (value === undefined) === negated);
  if (options.anchored && !options.ignoreCase && !pattern.includes('*')) {
    return fieldTest(name, (value) => (value === pattern) !== negated);
  }
  return fieldMatches(name, compileGlob(pattern, options), negated);
}

/** Whether a field exists and matches; `negated` turns that round. */
export function fieldMatches(name: string, matches: TextMatcher, negated = false): Predicate {
  return fieldTest(name, (value) => (value !== undefined && matches(value)) !== negated);
}

/** @throws QueryError for free text behind an aggregate, as on the service. */
export function requireFreeTextAllowed(node: PatternNode | RegexNode | ParameterNode, scope: Scope): void {
  if (scope.isFreeTextAllowed) return;
  if (node.kind !== 'Regex' && matchesEverything(patternText(node, scope))) return;
  scope.fail(
    node.span,
    'Free text is only allowed before the first aggregate function: after it, compare a field, as in field=*text*',
  );
}

function compileFreeText(node: PatternNode | RegexNode | ParameterNode, scope: Scope): Predicate {
  requireFreeTextAllowed(node, scope);
  if (node.kind === 'Regex') {
    const regex = compileRegexNode(node, scope);
    refuseNamedGroups(regex, node, scope);
    return freeText({ matches: regex.test, isPart: regex.isPart });
  }
  return compileFreeTextPattern(patternText(node, scope));
}

export function compileFreeTextPattern(pattern: string, ignoreCase = false): Predicate {
  if (pattern === '' || matchesEverything(pattern)) {
    return withColumns(() => true, { reads: [], inTable: () => true });
  }
  return freeText({ matches: compileGlob(pattern, { anchored: false, ignoreCase }), isPart: true });
}

function freeText(text: FreeText): Predicate {
  return withColumns<Predicate>(
    (row, stored, run) => matchesAnyField(run.isParser ? row : stored, text.matches),
    freeTextTest(text),
  );
}

function refuseNamedGroups(regex: Regex, node: RegexNode, scope: Scope): void {
  if (regex.groups.length === 0) return;
  scope.fail(
    node.span,
    'A regular expression with named groups is only allowed at the top level of a step, joined with "and": under "or" and "not" and in conditions, it can\'t create fields',
  );
}

export interface FieldCall {
  readonly call: CallNode;
  /** What `field` of the function is, as in `field =~ fn(…)`. */
  readonly field?: string;
  readonly negated: boolean;
}

/** A call, or `field =~ fn(…)`, as a filter. A negated one extracts nothing, so its named groups do no harm. */
export function compileFilterCall({ call: node, field, negated }: FieldCall, scope: Scope): Predicate {
  const call = scope.call(node, field === undefined ? {} : { field });
  if (call.kind !== 'filter') {
    return scope.fail(
      node.nameSpan,
      `${node.name}() is not a filter: it is not allowed under "or" or "not" or in a condition`,
    );
  }
  const { test } = call;
  if (negated) return negation(test);
  if (call.step !== undefined) {
    scope.fail(
      node.span,
      `${node.name}() changes events here, so it is only allowed at the top level of a step, joined with "and"`,
    );
  }
  return test;
}

/** `{ filter | filter }` or a call, as a condition of a function. */
export function compileCondition(node: ExpressionNode, scope: Scope): Predicate {
  if (node.kind === 'Call') return compileFilterCall({ call: node, negated: false }, scope);
  if (node.kind === 'SavedQuery') return compileSavedCondition(node, scope);
  if (node.kind !== 'Subquery') return scope.fail(node.span, 'A condition must be a filter call or { … }');
  return compilePipelineCondition(node.pipeline, scope);
}

function compileSavedCondition(node: SavedQueryNode, scope: Scope): Predicate {
  return scope.inSavedQuery(node, (pipeline, inner) => compilePipelineCondition(pipeline, inner));
}

function compilePipelineCondition({ steps }: PipelineNode, scope: Scope): Predicate {
  return allOf(steps.map((step) => compileConditionStep(step, scope)));
}

function compileConditionStep(step: StepNode, scope: Scope): Predicate {
  switch (step.kind) {
    case 'FieldCall':
      return compileFilterCall({ call: step.call, field: step.field.name, negated: step.negated }, scope);
    case 'Assignment':
    case 'Case':
    case 'Match':
    case 'Stats':
      return scope.fail(step.span, 'Only filters are allowed in a condition');
    case 'SavedQuery':
      return compileSavedCondition(step, scope);
    default:
      return compileFilter(step, scope);
  }
}
