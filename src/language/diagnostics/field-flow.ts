import type { CallNode, FilterNode, GuardNode, PipelineNode, QueryNode, StepNode } from '../ast.ts';
import { findSignature } from '../functions/find-function.ts';
import { NUMBER_FUNCTIONS, SINGLE_OUTPUTS } from '../functions/outputs.ts';
import { groupNames } from '../regex/regex-parser.ts';
import { walk } from '../walk.ts';
import {
  elementsOf,
  nameOf,
  namesIn,
  parameterOf,
  textArgument,
  textOf,
  type ValueNode,
  valuesOf,
} from './call-arguments.ts';

/** What is known of a field of rows. */
export interface RowField {
  /** Whether each value is the number that a function computed, and no text that was logged. */
  readonly isNumber: boolean;
  /** Whether each row has it. */
  readonly isSure: boolean;
  /** Whether a step before has removed it. */
  readonly isGone?: boolean;
  /** Whether each value is a string with several lines, which `collect()` has joined. */
  readonly isList?: boolean | undefined;
}

/** The fields that rows can have, by name. `undefined`: any, as events do. */
export type PossibleFields = ReadonlyMap<string, RowField> | undefined;

const TEXT: RowField = { isNumber: false, isSure: false };
const LIST: RowField = { ...TEXT, isList: true };
const NUMBER: RowField = { isNumber: true, isSure: false };
const SURE_NUMBER: RowField = { isNumber: true, isSure: true };
const GONE: RowField = { isNumber: true, isSure: false, isGone: true };

/** Fields with any values, which a row can lack. */
export function fieldsNamed(names: readonly string[]): PossibleFields {
  return new Map(names.map((name) => [name, TEXT]));
}

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
      if (isAggregateCall(step.value)) return joined(outputsOf(step.value, before, step.target.name));
      return withFields(before, [step.target.name], before && kindOf(step.value, before));
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
      return joined(outputsOfAll([step.functions], before));
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
      // The field is an argument.
      if (field !== undefined && SINGLE_OUTPUTS[signature.name] === undefined) return undefined;
      return joined(outputsOf(call, before));
    case 'filter':
      return fieldsAfterFilterCall(call, signature.name, before);
    case 'value': {
      const own = signature.output === 'field' ? (field ?? textArgument(call, 'field')) : signature.output;
      const output = textArgument(call, 'as') ?? own;
      return output === undefined ? undefined : withFields(before, [output], kindOf(call, before));
    }
    case 'transform':
      return fieldsAfterTransform(call, signature.name, before);
    default:
      return undefined;
  }
}

/** Most filters add no fields. */
function fieldsAfterFilterCall(call: CallNode, name: string, before: PossibleFields): PossibleFields {
  if (name === 'join' || name === 'match') {
    const included = valuesOf(call, 'include');
    return included.length === 0 ? undefined : withFields(before, allNamed(included));
  }
  if (name !== 'regex') return before;
  const [pattern] = valuesOf(call, 'regex');
  const body = pattern?.kind === 'Regex' ? pattern.body : pattern && textOf(pattern);
  return body === undefined ? undefined : withGroups(before, body);
}

function fieldsAfterTransform(call: CallNode, name: string, before: PossibleFields): PossibleFields {
  switch (name) {
    case 'select':
      return joined(kept(namesIn(valuesOf(call, 'fields')), before));
    case 'drop':
      return withoutSome(before, namesIn(valuesOf(call, 'fields')));
    case 'default':
    case 'setField':
      // In `target=name`, the value of the field is the name.
      if (valuesOf(call, 'target').some(({ kind }) => kind !== 'String')) return undefined;
      return withFields(before, namesIn([...valuesOf(call, 'field'), ...valuesOf(call, 'target')]));
    case 'eval':
      return call.arguments.reduce<PossibleFields>((fields, { name: target, value }) => {
        return withFields(fields, target ? [target.name] : [], fields && kindOf(value, fields));
      }, before);
    case 'splitString': {
      const as = textArgument(call, 'as');
      return as === undefined ? undefined : withFields(before, [as, `${as}[]`]);
    }
    case 'split':
      // Elements of other arrays can be objects.
      return before?.has(`${textArgument(call, 'field')}[]`) ? withFields(before, ['_index']) : undefined;
    case 'rename': {
      const given = valuesOf(call, 'field');
      const pairs =
        valuesOf(call, 'as').length > 0 ? [[...given, ...valuesOf(call, 'as')]] : elementsOf(given);
      return pairs.reduce<PossibleFields>((fields, pair) => {
        const [old, target] = namesIn([pair].flat()) ?? [];
        if (old === undefined || target === undefined) return undefined;
        return withFields(withoutSome(fields, [old]), [target], fields?.get(old));
      }, before);
    }
    default:
      return undefined;
  }
}

/** Fields and what is known of them, in order. A repeated name has several sources. */
type Outputs = readonly (readonly [name: string, field: RowField])[] | undefined;

/** What is known of the value of an expression, or a call. */
function kindOf(value: ValueNode, before: PossibleFields): RowField {
  switch (value.kind) {
    case 'Binary':
      return /^[-+*/%]$/.test(value.operator) ? NUMBER : TEXT;
    case 'Unary':
      return value.operator === '-' ? NUMBER : TEXT;
    case 'Bareword':
      if (isName(value.text)) return before?.get(plain(value.text)) ?? TEXT;
      return /^[\d.]/.test(value.text) ? SURE_NUMBER : TEXT;
    case 'String':
      return { isNumber: false, isSure: true };
    case 'Call':
      return NUMBER_FUNCTIONS.test(nameOf(value) ?? '') ? NUMBER : TEXT;
    default:
      return TEXT;
  }
}

/** Fields that keep what is known of them. */
function kept(names: readonly string[] | undefined, before: PossibleFields): Outputs {
  return names?.map((name) => [name, before?.get(name) ?? TEXT]);
}

/** One group of an aggregate has the events without the field. */
function optional(outputs: Outputs): Outputs {
  return outputs?.map(([name, field]) => [name, { ...field, isSure: false }]);
}

function ofKind(names: readonly string[] | undefined, field: RowField): Outputs {
  return names?.map((name) => [name, field]);
}

/** Whether a value is a call of an aggregate function. */
export function isAggregateCall(value: QueryNode): value is CallNode {
  return value.kind === 'Call' && findSignature(value.name)?.kind === 'aggregate';
}

/** The fields of the rows of an aggregate. */
function outputsOf(call: CallNode, before: PossibleFields, as = textArgument(call, 'as')): Outputs {
  const name = nameOf(call) ?? '';
  const single = SINGLE_OUTPUTS[name];
  if (single !== undefined)
    return valuesOf(call, 'as').length > 0 && as === undefined
      ? undefined
      : [[as ?? single, name === 'count' ? SURE_NUMBER : NUMBER]];
  switch (name) {
    case 'groupBy':
      return together(
        optional(kept(namesIn(valuesOf(call, 'field')), before)),
        functionOutputs(call, before),
      );
    case 'bucket':
    case 'timeChart': {
      const groups = namesIn(valuesOf(call, name === 'bucket' ? 'field' : 'series'));
      return together(
        [['_bucket', SURE_NUMBER]],
        optional(kept(groups, before)),
        functionOutputs(call, before),
      );
    }
    case 'stats':
      return functionOutputs(call, before);
    case 'session':
      // Published queries read the time of a session, which the service doesn't document.
      return together(ofKind(['@timestamp', '_duration'], NUMBER), functionOutputs(call, before));
    case 'top':
      return together(optional(kept(namesIn(valuesOf(call, 'field')), before)), topOutputs(call, as));
    case 'percentile':
      return percentileOutputs(call, as);
    case 'selectFromMin':
    case 'selectFromMax':
      return optional(kept(allNamed(valuesOf(call, 'include')), before));
    case 'sankey':
      return ofKind(['source', 'target', 'weight'], TEXT);
    case 'worldMap':
      return together(ofKind(['_geohash', 'magnitude'], TEXT), ofKind(['latitude', 'longitude'], NUMBER));
    case 'collect':
      return ofKind(namesIn(valuesOf(call, 'fields')), textArgument(call, 'separator') ? TEXT : LIST);
    case 'table':
    case 'selectLast':
      return kept(namesIn(valuesOf(call, 'fields')), before);
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
  return values.length === 0 ? [['_count', SURE_NUMBER]] : outputsOfAll(values, before);
}

/** The fields of all functions in a list. */
function outputsOfAll(values: readonly ValueNode[], before: PossibleFields): Outputs {
  const all = together(
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
          // A later step may drop the row.
          const isOne = value.pipeline.steps.length === 1;
          return isOne ? fields && [...fields] : optional(fields && [...fields]);
        }
        default:
          return undefined;
      }
    }),
  );
  // Some return more rows than others.
  const isPlain = values.every(
    (value) => value.kind !== 'Call' || !/^(?:sort|head|tail|table)$/i.test(value.name),
  );
  return isPlain || values.length === 1 ? all : optional(all);
}

function topOutputs(call: CallNode, as: string | undefined): Outputs {
  const total = ['sum', 'max'].find((name) => valuesOf(call, name).length > 0) ?? 'count';
  const percent = valuesOf(call, 'percent').length > 0 ? ['percent'] : [];
  return ofKind([as ?? `_${total}`, ...percent], NUMBER);
}

function percentileOutputs(call: CallNode, as: string | undefined): Outputs {
  const ranks = valuesOf(call, 'percentiles');
  const names = ranks.length === 0 ? ['50', '75', '99'] : namesIn(ranks);
  return ofKind(
    names?.map((rank) => `${as ?? ''}_${Number(rank)}`),
    NUMBER,
  );
}

function together(...lists: readonly Outputs[]): Outputs {
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? known.flat() : undefined;
}

function joined(outputs: Outputs): PossibleFields {
  if (outputs === undefined) return undefined;
  const fields = new Map<string, RowField>();
  for (const [name, field] of outputs) fields.set(name, fields.has(name) ? TEXT : field);
  return fields;
}

/** @param field what is known of the added fields. A missing value leaves an old one as it was. */
function withFields(
  before: PossibleFields,
  added: readonly string[] | undefined,
  field: RowField = TEXT,
): PossibleFields {
  if (before === undefined || added === undefined) return undefined;
  const after = new Map(before);
  for (const name of added) {
    const old = before.get(name);
    const isNumber = field.isNumber && (field.isSure || old === undefined || old.isNumber);
    after.set(name, { isNumber, isSure: field.isSure || old?.isSure === true, isList: field.isList });
  }
  return after;
}

/** Removed fields stay known, because other checks warn of them. */
function withoutSome(before: PossibleFields, names: readonly string[] | undefined): PossibleFields {
  if (before === undefined || names === undefined) return undefined;
  const gone = names.flatMap((name) => (before.has(name) ? [[name, GONE] as const] : []));
  return new Map([...before, ...gone]);
}

/** Names, unless one of them stands for all fields. */
function allNamed(values: readonly ValueNode[]): readonly string[] | undefined {
  const names = namesIn(values);
  return names?.includes('*') ? undefined : names;
}

function withGroups(before: PossibleFields, pattern: string): PossibleFields {
  return before && withFields(before, groupNames(pattern));
}

/** The fields of rows from one of several pipelines. */
function union(all: readonly PossibleFields[]): PossibleFields {
  const known = all.filter((fields) => fields !== undefined);
  if (known.length < all.length) return undefined;
  const names = new Set(known.flatMap((fields) => [...fields.keys()]));
  const inAll = (name: string, has: (field: RowField | undefined) => boolean | undefined): boolean =>
    known.every((fields) => has(fields.get(name)));
  return new Map(
    Array.from(names, (name) => {
      const isNumber = inAll(name, (field) => field === undefined || field.isNumber);
      const isGone = inAll(name, (field) => field === undefined || field.isGone);
      return [name, { isNumber, isSure: inAll(name, (field) => field?.isSure), isGone }];
    }),
  );
}

/** A place where a query names a field that it reads. */
export interface FieldRead {
  readonly name: string;
  readonly node: QueryNode;
  /** Whether the function also accepts fields that no row has. */
  readonly isTolerant?: boolean;
}

/** The fields that a step reads itself, without the steps inside `case`, `match` and `{ … }`; arrays as `name[]`. */
export function readsOf(step: StepNode): readonly FieldRead[] {
  const reads: FieldRead[] = [];
  walk(step, {
    Pipeline: () => false,
    Subquery: () => false,
    Comparison: ({ field }) => reads.push({ name: field.name, node: field }),
    FieldCall: ({ field }) => reads.push({ name: field.name, node: field }),
    Match: ({ field }) => reads.push({ name: field.name, node: field }),
    Assignment: ({ value }) => reads.push(...readsOfValue(value)),
    Binary: ({ left, right }) => reads.push(...[left, right].flatMap(readsOfValue)),
    Call: (call) => reads.push(...readsOfCall(call)),
  });
  return reads;
}

/** A name in an expression, or the filter that is one. */
function readsOfValue(value: ValueNode): readonly FieldRead[] {
  if (value.kind === 'Subquery') return value.pipeline.steps.flatMap(readsOf);
  return value.kind === 'Bareword' && isName(value.text) ? [{ name: plain(value.text), node: value }] : [];
}

/** Parameters that name fields that a function reads. */
const READING_PARAMETERS = ['field', 'fields', 'sortby', 'series'];
/** Functions that handle missing fields on purpose, or whose fields are those of another query. */
const TOLERANT = ['correlate', 'defineTable', 'join', 'match', 'selfJoin', 'setField'];

function readsOfCall(call: CallNode): readonly FieldRead[] {
  const signature = findSignature(call.name);
  if (signature === undefined || TOLERANT.includes(signature.name)) return [];
  const isTolerant = ['coalesce', 'default', 'drop', 'rename'].includes(signature.name);
  const isArray = /^(?:split$|concatArray$|\w*array:)/i.test(signature.name);
  const expressions = call.arguments
    .filter((argument) => parameterOf(argument, call)?.form.kind === 'expression')
    .flatMap(({ value }) => elementsOf([value]).flatMap(readsOfValue));
  const fields = signature.parameters
    .filter(
      ({ name, form }) =>
        name === 'array' ||
        ((form.kind === 'field' || signature.name === 'rename') && READING_PARAMETERS.includes(name)),
    )
    .flatMap(({ name }) => elementsOf(valuesOf(call, name)))
    .flatMap((value) => {
      const node = value.kind === 'Array' ? (value.elements[0] ?? value) : value;
      const name = textOf(node);
      return name === undefined
        ? []
        : [{ name: plain(name).replace(/(?:\[\])?$/, isArray ? '[]' : '$&'), node }];
    });
  const time = /^(?:bucket|timeChart)$/.test(signature.name) ? [{ name: '@timestamp', node: call }] : [];
  return [...expressions, ...fields, ...time].map((one) => ({ ...one, isTolerant }));
}

/** Not a number, a Boolean or an array. */
function isName(text: string): boolean {
  return !/^(?:\d[\d.]*(?:e\d+)?|\.\d+|true|false)$/i.test(text);
}

function plain(name: string): string {
  return name.replaceAll('`', '');
}
