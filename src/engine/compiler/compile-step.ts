import { hasParameter } from '../../language/diagnostics/call-arguments.ts';
import type {
  AssignmentNode,
  CallNode,
  CaseNode,
  ComparisonNode,
  FieldCallNode,
  FilterNode,
  FreeTextNode,
  GuardNode,
  MatchNode,
  StepNode,
} from '../../language/index.ts';
import { fieldMatches, fieldPattern } from '../columns/predicate.ts';
import { branchesStep } from '../operators/branches.ts';
import { extractionStep } from '../operators/extraction.ts';
import { assignmentStep, filterStep } from '../operators/field-steps.ts';
import type { StreamStep } from '../operators/operator.ts';
import type { CompiledStep, PresetArguments, Scope } from '../signature/scope.ts';
import {
  compileFilter,
  compileFilterCall,
  compileRegexNode,
  patternText,
  requireFreeTextAllowed,
} from './filter.ts';

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
      return [stream(compileCase(node, scope))];
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
  if (node.kind === 'FreeText') return compileFreeTextStep(node, scope);
  if (node.kind === 'Comparison') return compileComparisonStep(node, scope);
  return stream(filterStep(compileFilter(node, scope)));
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

function compileFreeTextStep(node: FreeTextNode, scope: Scope): CompiledStep {
  requireFreeTextAllowed(node.value, scope);
  const extraction = compileExtraction(node.value, undefined, scope);
  return stream(extraction ?? filterStep(compileFilter(node, scope)));
}

function compileComparisonStep(node: ComparisonNode, scope: Scope): CompiledStep {
  const { field, operator, value, span } = node;
  if (value.kind === 'Call' && operator === '=') {
    return compileFieldCallStep({ kind: 'FieldCall', field, negated: false, call: value, span }, scope);
  }
  const extraction = operator === '!=' ? undefined : compileExtraction(value, field.name, scope);
  return stream(extraction ?? filterStep(compileFilter(node, scope)));
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

function compileCase({ clauses }: CaseNode, scope: Scope): StreamStep {
  return branchesStep(clauses.map((clause) => scope.streamSteps(clause, 'case')));
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
  switch (guard.kind) {
    case 'Regex': {
      const extraction = compileExtraction(guard, field, scope);
      return [extraction ?? filterStep(fieldMatches(field, compileRegexNode(guard, scope)))];
    }
    case 'Call':
      return [compileGuardCall(guard, field, scope)];
    case 'Pattern':
      if (!guard.quoted && (guard.text === '*' || guard.text === 'true')) return [];
      break;
    case 'Parameter':
      break;
  }
  return [filterStep(fieldPattern(field, patternText(guard, scope), { anchored: true }))];
}

/** A guard is the first step of its arm, so it may also change events. */
function compileGuardCall(node: CallNode, field: string, scope: Scope): StreamStep {
  const call = scope.call(node, { field });
  if (call.kind === 'filter' && call.step !== undefined) return call.step;
  return filterStep(compileFilterCall({ call: node, field, negated: false }, scope));
}
