import { hasParameter } from '../../language/diagnostics/call-arguments.ts';
import { FREE_TEXT } from '../../language/diagnostics/pipeline-checks.ts';
import { GROUPS_BELOW } from '../../language/diagnostics/regex-checks.ts';
import type {
  AssignmentNode,
  CallNode,
  ComparisonNode,
  ExpressionNode,
  FieldCallNode,
  FilterNode,
  GuardNode,
  MatchNode,
  ParameterNode,
  PatternNode,
  PipelineNode,
  RegexNode,
  SavedQueryNode,
  StepNode,
} from '../../language/index.ts';
import type { Predicate } from '../columns/expression.ts';
import {
  allOf,
  constantFilter,
  fieldMatches,
  fieldPattern,
  freeTextFilter,
  freeTextPattern,
  negation,
  numberFilter,
  someOf,
} from '../columns/predicate.ts';
import { branchesStep } from '../operators/branches.ts';
import { assignmentStep, extractionStep, filterStep } from '../operators/field-steps.ts';
import type { StreamStep } from '../operators/operator.ts';
import type { Regex } from '../regex/regex.ts';
import { compileRegexOf } from '../regex/regex-argument.ts';
import type { CompiledStep, PresetArguments, Scope } from '../signature/scope.ts';
import { matchesEverything } from '../text/glob.ts';
import { parseNumber } from '../value.ts';
import { refuseLink } from './compile-expression.ts';
import { ORDERINGS } from './operation.ts';

/**
 * Compiles a filter to a predicate, which can't change events.
 *
 * @throws QueryError for a regular expression with named groups, which would add fields.
 */
function compileFilter(node: FilterNode, scope: Scope): Predicate {
  switch (node.kind) {
    case 'And':
      return allOf(node.operands.map((operand) => compileFilter(operand, scope)));
    case 'Or':
      return someOf(node.operands.map((operand) => compileFilter(operand, scope)));
    case 'Not':
      return node.operand.kind === 'Call'
        ? compileFilterCall({ call: node.operand, negated: true }, scope)
        : negation(compileFilter(node.operand, scope));
    case 'Boolean':
      return constantFilter(node.value);
    case 'Comparison':
      return compileComparison(node, scope);
    case 'FreeText':
      return compileFreeText(node.value, scope);
    case 'Call':
      return compileFilterCall({ call: node, negated: false }, scope);
  }
}

/** Compiles `/…/flags` of a filter, in which `^` and `$` always match at lines. */
function compileRegexNode(node: RegexNode, scope: Scope): Regex {
  const source = { body: node.body, flags: `m${node.flags}` };
  return compileRegexOf(source, scope, (problem) => scope.fail(node.span, problem));
}

/** The text of a pattern; a parameter without a value is `*`. */
function patternText(node: PatternNode | ParameterNode, scope: Scope): string {
  return node.kind === 'Pattern' ? node.text : scope.parameter(node).text;
}

function compileComparison(node: ComparisonNode, scope: Scope): Predicate {
  const { field, operator, value } = node;
  if (operator === '<=>') return refuseLink(node, scope);
  if (value.kind === 'Call') {
    return compileFilterCall({ call: value, field: field.name, negated: operator === '!=' }, scope);
  }
  if (operator === '=' || operator === '!=' || operator === 'like') return compileTextComparison(node, scope);
  const compare = ORDERINGS[operator];
  const bound = compileBound(node, scope);
  return numberFilter({ field: field.name, operator, bound: String(bound) }, (number) =>
    compare(number, bound),
  );
}

function compileBound({ operator, value }: ComparisonNode, scope: Scope): number {
  if (value.kind === 'Number') return parseNumber(value.text) ?? Number.NaN;
  const parameter = value.kind === 'Parameter' ? scope.parameter(value) : { text: '', given: true };
  const bound = parseNumber(parameter.text);
  if (bound !== undefined) return bound;
  const actual = parameter.given ? `is ${JSON.stringify(parameter.text)}` : 'has no value';
  return scope.fail(value.span, `${operator} needs a number, but ${scope.textAt(value.span)} ${actual}`);
}

function compileTextComparison({ field, operator, value }: ComparisonNode, scope: Scope): Predicate {
  const { name } = field;
  const negated = operator === '!=';
  if (value.kind === 'Regex') {
    const regex = compileRegexNode(value, scope);
    if (!negated) refuseNamedGroups(regex, value, scope);
    return fieldMatches(name, regex, negated);
  }
  const pattern = value.kind === 'Pattern' || value.kind === 'Parameter' ? patternText(value, scope) : '';
  return fieldPattern(name, pattern, { anchored: operator !== 'like', negated });
}

/** @throws QueryError for free text after an aggregate, as on the service. */
function requireFreeTextAllowed(node: PatternNode | RegexNode | ParameterNode, scope: Scope): void {
  if (scope.isFreeTextAllowed) return;
  if (node.kind !== 'Regex' && matchesEverything(patternText(node, scope))) return;
  scope.fail(node.span, FREE_TEXT);
}

function compileFreeText(node: PatternNode | RegexNode | ParameterNode, scope: Scope): Predicate {
  requireFreeTextAllowed(node, scope);
  if (node.kind === 'Regex') {
    const regex = compileRegexNode(node, scope);
    refuseNamedGroups(regex, node, scope);
    return freeTextFilter(regex);
  }
  return freeTextPattern(patternText(node, scope));
}

function refuseNamedGroups(regex: Regex, node: RegexNode, scope: Scope): void {
  if (regex.groups.length === 0) return;
  scope.fail(node.span, GROUPS_BELOW);
}

interface FieldCall {
  readonly call: CallNode;
  /** The left side of `field =~ fn(…)`. */
  readonly field?: string;
  readonly negated: boolean;
}

/**
 * Compiles a call, or `field =~ fn(…)`, as a filter. In a negated one, named groups extract nothing and are allowed.
 */
function compileFilterCall({ call: node, field, negated }: FieldCall, scope: Scope): Predicate {
  const call = scope.call(node, field === undefined ? {} : { field });
  if (call.kind !== 'filter') {
    const problem = 'is not a filter: it is not allowed under "or" or "not" or in a condition';
    return scope.fail(node.nameSpan, `${node.name}() ${problem}`);
  }
  const { test } = call;
  if (negated) return negation(test);
  if (call.step !== undefined) {
    const hint = 'so it is only allowed at the top level of a step, joined with "and"';
    scope.fail(node.span, `${node.name}() changes events here, ${hint}`);
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

/** Compiles one step. A filter with several operands becomes several steps, because each may extract fields. */
export function compileStep(node: StepNode, scope: Scope): readonly CompiledStep[] {
  switch (node.kind) {
    case 'And':
      return node.operands.flatMap((operand) => compileStep(operand, scope));
    case 'Assignment':
      return [compileAssignment(node, scope)];
    case 'FieldCall':
      return [compileFieldCallStep(node, scope)];
    case 'Call':
      return [compileCallStep(node, {}, scope)];
    case 'Case':
      return [stream(branchesStep(node.clauses.map((clause) => scope.streamSteps(clause, 'case'))))];
    case 'Match':
      return [stream(compileMatch(node, scope))];
    case 'Stats':
      return [{ kind: 'aggregate', step: scope.aggregate(node.functions) }];
    case 'SavedQuery':
      return scope.inSavedQuery(node, (pipeline, inner) => inner.steps(pipeline));
    default:
      return [compileFilterStep(node, scope)];
  }
}

function stream(step: StreamStep): CompiledStep {
  return { kind: 'stream', step };
}

function compileFilterStep(node: FilterNode, scope: Scope): CompiledStep {
  let extraction: StreamStep | undefined;
  if (node.kind === 'FreeText') {
    requireFreeTextAllowed(node.value, scope);
    extraction = compileExtraction(node.value, undefined, scope);
  } else if (node.kind === 'Comparison') {
    const { field, operator, value, span } = node;
    if (value.kind === 'Call' && operator === '=') {
      return compileFieldCallStep({ kind: 'FieldCall', field, negated: false, call: value, span }, scope);
    }
    extraction = operator === '!=' ? undefined : compileExtraction(value, field.name, scope);
  }
  return stream(extraction ?? filterStep(compileFilter(node, scope)));
}

/** The step of a regex that extracts fields or splits events; `undefined` if it only filters. */
function compileExtraction(
  node: ComparisonNode['value'] | GuardNode,
  field: string | undefined,
  scope: Scope,
): StreamStep | undefined {
  if (node.kind !== 'Regex') return undefined;
  const regex = compileRegexNode(node, scope);
  const changesEvents = regex.groups.length > 0 || regex.isRepeating;
  return changesEvents ? extractionStep(regex, { field, repeat: regex.isRepeating }) : undefined;
}

/** `target := fn(…)` is `fn(…, as=target)` if the function has a parameter for its output. */
function compileAssignment({ target, value }: AssignmentNode, scope: Scope): CompiledStep {
  if (value.kind === 'Call' && hasParameter(value, 'as')) {
    return compileCallStep(value, { as: target.name }, scope);
  }
  return stream(assignmentStep([{ name: target.name, value: scope.expression(value) }]));
}

function compileFieldCallStep({ field, negated, call }: FieldCallNode, scope: Scope): CompiledStep {
  if (!negated) return compileCallStep(call, { field: field.name }, scope);
  return stream(filterStep(compileFilterCall({ call, field: field.name, negated }, scope)));
}

function compileCallStep(node: CallNode, presets: PresetArguments, scope: Scope): CompiledStep {
  const call = scope.call(node, presets);
  switch (call.kind) {
    case 'filter':
      return stream(call.step ?? filterStep(call.test));
    case 'value':
      if (call.as === undefined) {
        return scope.fail(node.span, `${node.name}() needs the parameter "as": the field to write`);
      }
      return stream(assignmentStep([{ name: call.as, value: call.value }]));
    case 'transform':
      return stream(call.step);
    case 'aggregate':
      return { kind: 'aggregate', step: call.step };
    case 'definition':
      return scope.fail(node.nameSpan, `${node.name}() must be a separate step`);
  }
}

/** Each arm is a branch that starts with its guard. */
function compileMatch({ field, arms }: MatchNode, scope: Scope): StreamStep {
  const clauses = arms.map(({ guard, pipeline }) => [
    ...compileGuard(guard, field.name, scope),
    ...scope.streamSteps(pipeline, 'match'),
  ]);
  return branchesStep(clauses);
}

function compileGuard(guard: GuardNode, field: string, scope: Scope): readonly StreamStep[] {
  if (guard.kind === 'Regex') {
    const extraction = compileExtraction(guard, field, scope);
    return [extraction ?? filterStep(fieldMatches(field, compileRegexNode(guard, scope)))];
  }
  if (guard.kind === 'Call') {
    const call = scope.call(guard, { field });
    // A guard is the first step of its arm, so it may also change events.
    if (call.kind === 'filter' && call.step !== undefined) return [call.step];
    return [filterStep(compileFilterCall({ call: guard, field, negated: false }, scope))];
  }
  if (guard.kind === 'Pattern' && !guard.quoted && (guard.text === '*' || guard.text === 'true')) return [];
  return [filterStep(fieldPattern(field, patternText(guard, scope), { anchored: true }))];
}
