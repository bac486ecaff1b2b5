import type { CallNode, FilterNode, GuardNode, PipelineNode, QueryNode, StepNode } from '../ast.ts';
import { findSignature } from '../functions/find-function.ts';
import { SINGLE_OUTPUTS } from '../functions/outputs.ts';
import { groupNames } from '../regex/regex-parser.ts';
import { walk } from '../walk.ts';
import { elementsOf, namesIn, textArgument, valuesOf } from './call-arguments.ts';
import { textOf, type ValueNode } from './value-forms.ts';

/** The fields that rows can have. `undefined`: any, as events do. */
export type PossibleFields = ReadonlySet<string> | undefined;

/** Called for each step of a pipeline, and of those inside `case` and `match`, with the fields before it. */
export type StepVisitor = (step: StepNode, before: PossibleFields) => void;

/** The fields that rows can have after a pipeline, as far as its text determines them. */
export function fieldsAfter(
  { steps }: PipelineNode,
  before: PossibleFields,
  visit: StepVisitor = () => {},
): PossibleFields {
  return steps.reduce<PossibleFields>((fields, step) => {
    visit(step, fields);
    return fieldsAfterStep(step, fields, visit);
  }, before);
}

function fieldsAfterStep(step: StepNode, before: PossibleFields, visit: StepVisitor): PossibleFields {
  switch (step.kind) {
    case 'Assignment':
      if (isAggregateCall(step.value)) return setOf(outputsOf(step.value, before, step.target.name));
      return withFields(before, [step.target.name]);
    case 'FieldCall':
      return fieldsAfterCall(step.call, before, step.field.name);
    case 'Case':
      return union(step.clauses.map((clause) => fieldsAfter(clause, before, visit)));
    case 'Match':
      return union(
        step.arms.map(({ guard, pipeline }) =>
          fieldsAfter(pipeline, fieldsAfterFilter(guard, before), visit),
        ),
      );
    case 'Stats':
      return setOf(outputsOfAll([step.functions], before));
    case 'SavedQuery':
      return undefined;
    default:
      return fieldsAfterFilter(step, before);
  }
}

/** Filters add the named groups of regular expressions; `a b` may also contain calls of any kind. */
function fieldsAfterFilter(filter: FilterNode | GuardNode, before: PossibleFields): PossibleFields {
  switch (filter.kind) {
    case 'And':
      return filter.operands.reduce<PossibleFields>((fields, one) => fieldsAfterFilter(one, fields), before);
    case 'Comparison':
      if (filter.value.kind === 'Call') return fieldsAfterCall(filter.value, before, filter.field.name);
      return filter.value.kind === 'Regex' ? withGroups(before, filter.value.body) : before;
    case 'FreeText':
      return filter.value.kind === 'Regex' ? withGroups(before, filter.value.body) : before;
    case 'Regex':
      return withGroups(before, filter.body);
    case 'Call':
      return fieldsAfterCall(filter, before);
    default:
      return before;
  }
}

function fieldsAfterCall(call: CallNode, before: PossibleFields, field?: string): PossibleFields {
  const signature = findSignature(call.name);
  switch (signature?.kind) {
    case 'definition':
      return before;
    case 'aggregate':
      return setOf(outputsOf(call, before));
    case 'filter':
      return fieldsAfterFilterCall(call, signature.name, before);
    case 'value': {
      const own = signature.output === 'field' ? (field ?? textArgument(call, 'field')) : signature.output;
      const output = textArgument(call, 'as') ?? own;
      return output === undefined ? undefined : withFields(before, [output]);
    }
    case 'transform':
      return fieldsAfterTransform(call, signature.name, before);
    default:
      return undefined;
  }
}

/** Most filters add no fields. */
function fieldsAfterFilterCall(call: CallNode, name: string, before: PossibleFields): PossibleFields {
  if (name === 'join' || name === 'match') return undefined;
  if (name !== 'regex') return before;
  const [pattern] = valuesOf(call, 'regex');
  const body = pattern?.kind === 'Regex' ? pattern.body : pattern && textOf(pattern);
  return body === undefined ? undefined : withGroups(before, body);
}

function fieldsAfterTransform(call: CallNode, name: string, before: PossibleFields): PossibleFields {
  switch (name) {
    case 'select':
      return setOf(namesIn(valuesOf(call, 'fields')));
    case 'drop':
      return before;
    case 'default':
    case 'setField':
      return withFields(before, namesIn([...valuesOf(call, 'field'), ...valuesOf(call, 'target')]));
    case 'eval':
      return withFields(
        before,
        call.arguments.flatMap(({ name: target }) => target?.name ?? []),
      );
    case 'rename': {
      const as = textArgument(call, 'as');
      return as === undefined ? undefined : withFields(before, [as]);
    }
    default:
      return undefined;
  }
}

type Outputs = readonly string[] | undefined;

/** Whether a value is a call of an aggregate function. */
export function isAggregateCall(value: QueryNode): value is CallNode {
  return value.kind === 'Call' && findSignature(value.name)?.kind === 'aggregate';
}

/** The fields of the rows of an aggregate. */
function outputsOf(call: CallNode, before: PossibleFields, as = textArgument(call, 'as')): Outputs {
  const name = findSignature(call.name)?.name ?? '';
  const single = SINGLE_OUTPUTS[name];
  if (single !== undefined)
    return valuesOf(call, 'as').length > 0 && as === undefined ? undefined : [as ?? single];
  switch (name) {
    case 'groupBy':
      return joined(namesIn(valuesOf(call, 'field')), functionOutputs(call, before));
    case 'bucket':
      return joined(['_bucket'], namesIn(valuesOf(call, 'field')), functionOutputs(call, before));
    case 'timeChart':
      return joined(['_bucket'], namesIn(valuesOf(call, 'series')), functionOutputs(call, before));
    case 'stats':
      return functionOutputs(call, before);
    case 'session':
      // Published queries read the time of a session, which the service doesn't document.
      return joined(['@timestamp', '_duration'], functionOutputs(call, before));
    case 'top':
      return topOutputs(call, as);
    case 'percentile':
      return percentileOutputs(call, as);
    case 'table':
    case 'collect':
    case 'selectLast':
      return namesIn(valuesOf(call, 'fields'));
    case 'head':
    case 'tail':
    case 'sort':
      return before && [...before];
    default:
      return undefined;
  }
}

function functionOutputs(call: CallNode, before: PossibleFields): Outputs {
  const values = valuesOf(call, 'function');
  return values.length === 0 ? ['_count'] : outputsOfAll(values, before);
}

/** The fields of all functions in a list. */
function outputsOfAll(values: readonly ValueNode[], before: PossibleFields): Outputs {
  return joined(
    ...values.map((value): Outputs => {
      switch (value.kind) {
        case 'Array':
          return outputsOfAll(value.elements, before);
        case 'Assignment':
          return isAggregateCall(value.value) ? outputsOf(value.value, before, value.target.name) : undefined;
        case 'Call':
          return outputsOf(value, before);
        case 'Subquery': {
          const fields = fieldsAfter(value.pipeline, before);
          return fields && [...fields];
        }
        default:
          return undefined;
      }
    }),
  );
}

function topOutputs(call: CallNode, as: string | undefined): Outputs {
  const total = ['sum', 'max'].find((name) => valuesOf(call, name).length > 0) ?? 'count';
  const percent = valuesOf(call, 'percent').length > 0 ? ['percent'] : [];
  return joined(namesIn(valuesOf(call, 'field')), [as ?? `_${total}`], percent);
}

function percentileOutputs(call: CallNode, as: string | undefined): Outputs {
  const ranks = valuesOf(call, 'percentiles');
  const names = ranks.length === 0 ? ['50', '75', '99'] : namesIn(ranks);
  return names?.map((rank) => `${as ?? ''}_${Number(rank)}`);
}

function joined(...lists: readonly Outputs[]): Outputs {
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? known.flat() : undefined;
}

function setOf(names: Outputs): PossibleFields {
  return names && new Set(names);
}

function withFields(before: PossibleFields, added: Outputs): PossibleFields {
  return before && added && new Set([...before, ...added]);
}

function withGroups(before: PossibleFields, pattern: string): PossibleFields {
  return before && withFields(before, groupNames(pattern));
}

function union(sets: readonly PossibleFields[]): PossibleFields {
  return sets.every((set) => set !== undefined) ? new Set(sets.flatMap((set) => [...set])) : undefined;
}

/** A place where a query names a field that it reads. */
export interface FieldRead {
  readonly name: string;
  readonly node: QueryNode;
  /** Whether the function also accepts fields that no row has. */
  readonly isTolerant?: boolean;
}

/** The fields that a step reads itself, without the steps inside `case`, `match` and `{ … }`. */
export function readsOf(step: StepNode): readonly FieldRead[] {
  const reads: FieldRead[] = [];
  walk(step, {
    Pipeline: () => false,
    Subquery: () => false,
    Comparison: ({ field }) => reads.push({ name: field.name, node: field }),
    FieldCall: ({ field }) => reads.push({ name: field.name, node: field }),
    Match: ({ field }) => reads.push({ name: field.name, node: field }),
    Binary({ left, right }) {
      for (const node of [left, right]) {
        if (node.kind === 'Bareword' && isName(node.text)) reads.push({ name: plain(node.text), node });
      }
    },
    Call(call) {
      reads.push(...readsOfCall(call));
    },
  });
  return reads;
}

/** Parameters that name fields that a function reads. */
const READING_PARAMETERS = ['field', 'fields', 'sortby', 'series'];
/** Functions that handle missing fields on purpose, or whose fields are those of another query. */
const TOLERANT = [
  'coalesce',
  'correlate',
  'default',
  'defineTable',
  'drop',
  'join',
  'match',
  'selfJoin',
  'setField',
];

function readsOfCall(call: CallNode): readonly FieldRead[] {
  const signature = findSignature(call.name);
  if (signature === undefined || TOLERANT.includes(signature.name)) return [];
  const isTolerant = ['select', 'table'].includes(signature.name);
  return signature.parameters
    .filter(({ name, form }) => form.kind === 'field' && READING_PARAMETERS.includes(name))
    .flatMap(({ name }) => elementsOf(valuesOf(call, name)))
    .flatMap((node) => {
      const name = node.kind === 'Bareword' ? node.text : node.kind === 'String' ? node.value : undefined;
      return name === undefined ? [] : [{ name: plain(name), node, isTolerant }];
    });
}

/** Not a number, a Boolean or an array. */
function isName(text: string): boolean {
  return !/^(?:\d[\d.]*(?:e\d+)?|\.\d+|true|false)$/i.test(text);
}

function plain(name: string): string {
  return name.replaceAll('`', '');
}
