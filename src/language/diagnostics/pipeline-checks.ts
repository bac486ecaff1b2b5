import { nearestName } from '../../core/nearest-name.ts';
import type { CallNode, FilterNode, PipelineNode, QueryNode, StepNode } from '../ast.ts';
import { findSignature } from '../functions/find-function.ts';
import { print } from '../printer.ts';
import { groupNames } from '../regex/regex-parser.ts';
import { walk } from '../walk.ts';
import {
  elementsOf,
  hasParameter,
  nameOf,
  namesIn,
  parameterOf,
  textOf,
  valuesOf,
} from './call-arguments.ts';
import { checkCall } from './call-checks.ts';
import { error, type Finding, findIn, warning } from './diagnostic.ts';
import { fieldsAfter, fieldsNamed, isAggregateCall, type PossibleFields, readsOf } from './field-flow.ts';

/** Warns of fields that no row can have: the steps before determine the fields, or `"lower(user)"` is meant as a call. */
export function checkFields(tree: PipelineNode, source: string): readonly Finding[] {
  const findings: Finding[] = [];
  const visit = (step: StepNode, before: PossibleFields): void => {
    for (const { name: read, node, isTolerant } of readsOf(step)) {
      const name = read.replace(/\[\]$/, '');
      if (before === undefined) {
        const message = `No row has the field "${name}" here. Write field := length(a) before it.`;
        if (!isTolerant && /\w\([\w.@#]+\)$/.test(name) && !source.slice(0, node.span.start).includes(name))
          findings.push(warning('missing-field', node.span, message));
        continue;
      }
      if (read !== name && before.get(name)?.isList) findings.push(joinedLines(name, node.span, step.span));
      if (before.has(name) || isElementOf(name, before)) continue;
      if (isTolerant === true && outputNamed(name, before) === undefined) continue;
      const found = missingField(name, node, source, before);
      // What is similar can be another column on purpose.
      const isShown = step.kind === 'Call' && /^(?:select|table)$/i.test(step.name);
      findings.push(
        isShown && outputNamed(name, before) === undefined ? { ...found, fix: undefined } : found,
      );
    }
  };
  fieldsAfter(tree, undefined, visit);
  // A query in braces starts with all fields.
  walk(tree, { Subquery: ({ pipeline }) => void fieldsAfter(pipeline, undefined, visit) });
  return findings;
}

/** `collect(user) | split(user)` */
function joinedLines(name: string, span: Finding['span'], { start }: Finding['span']): Finding {
  const text = `splitString(${name}, by="\\n", as=${name})`;
  const message = `"${name}" has lines and is no array. Write ${text} before it.`;
  return {
    ...warning('joined-lines', span, message),
    fix: { span: { start, end: start }, text: `${text} | ` },
  };
}

/** Warns of fields of a subquery that it can't have. */
export function checkSubqueryFields(tree: PipelineNode, source: string): readonly Finding[] {
  return findIn(tree, {
    Call(call) {
      if (!/^(?:join|defineTable)$/i.test(call.name)) return undefined;
      const [query] = valuesOf(call, 'query');
      const fields = query?.kind === 'Subquery' ? fieldsAfter(query.pipeline, undefined) : undefined;
      const keys = valuesOf(call, 'key');
      const read = [...valuesOf(call, 'include'), ...(keys.length > 0 ? keys : valuesOf(call, 'field'))];
      return elementsOf(read).map((node) => {
        const name = textOf(node) ?? '*';
        if (!fields || name === '*' || fields.has(name) || isElementOf(name, fields)) return undefined;
        return missingField(name, node, source, fields, 'row of the subquery');
      });
    },
  });
}

/** Warns of fields that a step before has dropped or renamed. */
export function checkGoneFields(tree: PipelineNode): readonly Finding[] {
  const reads = tree.steps.map(readsOf);
  const all = fieldsNamed(reads.flat().map(({ name }) => name));
  let before = all;
  return tree.steps.flatMap((step, place) => {
    const gone = reads[place]!.filter(({ name, isTolerant }) => !isTolerant && before?.get(name)?.isGone);
    before = fieldsAfter({ ...tree, steps: [step] }, before) ?? all;
    return gone.flatMap(({ name, node }) => {
      const removal = nameOf(tree.steps.slice(0, place).findLast((one) => removes(one, name)));
      const message = `No row has the field "${name}" here: ${removal}() has removed it.`;
      return removal ? [warning('missing-field', node.span, message)] : [];
    });
  });
}

/** `drop(name)`, `rename(name, as=b)`, but not `rename([[a, name], [name, a]])` */
function removes(step: StepNode, name: string): boolean {
  const [call = '', ...words] = print(step).split(/[^\w.@#]+/);
  return /^(?:drop|rename)$/i.test(call) && words.filter((word) => word === name).length === 1;
}

/** `a[0]` may be an element of the array `a[]`. */
function isElementOf(name: string, fields: ReadonlyMap<string, unknown>): boolean {
  const array = name.replace(/\[.*$/, '');
  return array !== name && [...fields.keys()].some((field) => field.startsWith(array));
}

/** The output of an aggregate that has another name elsewhere: `count`, `count_`, `avg_ms`, `dcount_user`. */
function outputNamed(name: string, fields: ReadonlyMap<string, unknown>): string | undefined {
  const [, kind, of] = /^(dc|dcount|countif|set|percentile_.*(?=_\d))[_(](.*?)\)?$/.exec(name) ?? [];
  const own = kind === 'set' ? [of] : /^[cd]/.test(kind ?? '') ? [`count_${of}`, '_count'] : [`_${of}`];
  return [`_${name}`, `_${name.replace(/[_(].*$/, '')}`, ...own].find((one) => fields.has(one ?? ''));
}

function missingField(
  name: string,
  { span }: QueryNode,
  source: string,
  known: ReadonlyMap<string, unknown>,
  rows?: string,
): Finding {
  const names = [...known.keys()];
  const meant = outputNamed(name, known) ?? (name.length < 3 ? undefined : nearestName(name, names));
  const fields = names.length === 0 ? 'no fields' : `only ${names.slice(0, 10).join(', ')}`;
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  const message = `No ${rows ?? 'row'} has the field "${name}"${rows === undefined ? ' here: the steps before return' : ': it returns'} ${fields}.${hint}`;
  const text = meant && source.slice(span.start, span.end).replace(name, () => meant);
  return { ...warning('missing-field', span, message), fix: text === undefined ? undefined : { span, text } };
}

/** Reports filters that could come earlier, to reduce the work. */
export function checkCost(tree: PipelineNode, source: string): readonly Finding[] {
  return tree.steps.flatMap((step, place) => {
    const before = tree.steps[place - 1];
    if (before === undefined || !isFilter(step)) return [];
    return filterOnKey(before, step as FilterNode, source) ?? lateTag(tree, place, source) ?? [];
  });
}

/** A filter that is more than a single call, word or `true`. */
function isFilter(step: StepNode): boolean {
  return ['And', 'Or', 'Not', 'Comparison'].includes(step.kind);
}

/** `groupBy(host) | host=web*`: filtering the events gives the same groups. */
function filterOnKey(before: StepNode, filter: FilterNode, source: string): Finding | undefined {
  if (before.kind !== 'Call' || nameOf(before) !== 'groupBy') return undefined;
  const keys = namesIn(valuesOf(before, 'field'));
  const fields = comparedFields(filter);
  if (keys === undefined || fields === undefined || !fields.every((field) => keys.includes(field)))
    return undefined;
  if (mayReplace(before, fields)) return undefined;
  const message =
    'This filter compares a key of groupBy(). Put it before groupBy(), so that fewer events are grouped.';
  return moved('filter-first', message, before.span.start, filter, source);
}

/** An aggregate can write a field with the name of a key. */
function mayReplace(call: CallNode, fields: readonly string[]): boolean {
  // A limit would keep other groups.
  if (valuesOf(call, 'limit').some((limit) => textOf(limit) !== 'max')) return true;
  return valuesOf(call, 'function').some((value) => {
    let isWritten = false;
    walk(value, {
      Argument({ name, value: output }) {
        isWritten ||= name?.name === 'as' && 'text' in output && fields.includes(output.text);
      },
      Assignment({ target }) {
        isWritten ||= fields.includes(target.name);
      },
      Call({ name }) {
        isWritten ||= /^(?:collect|select\w+)$/i.test(name);
      },
    });
    return isWritten;
  });
}

/** The fields of a filter of comparisons only; `undefined` for any other. */
function comparedFields(filter: FilterNode): readonly string[] | undefined {
  const fields: string[] = [];
  let isPlain = true;
  const refuse = (): void => {
    isPlain = false;
  };
  walk(filter, {
    Comparison: ({ field }) => void fields.push(field.name),
    FreeText: refuse,
    Call: refuse,
    Boolean: refuse,
    Regex: ({ body }) => {
      if (groupNames(body).length > 0) refuse();
    },
  });
  return isPlain && fields.length > 0 ? fields : undefined;
}

/** `parseJson() | #type=web`: tags select the events to read, but only before other steps. */
function lateTag({ steps }: PipelineNode, place: number, source: string): Finding | undefined {
  const filter = steps[place] as FilterNode;
  const fields = comparedFields(filter);
  const before = steps.slice(0, place);
  const isTag = fields?.every((field) => field.startsWith('#'));
  const isFirst = before.every(
    (step) => isFilter(step) || /^(?:FreeText|Boolean)$/.test(step.kind) || callKind(step) === 'filter',
  );
  if (isTag !== true || isFirst || !before.every(keepsTags)) return undefined;
  const message =
    'A filter on a tag limits which events are read, but only before the first step that is not a filter.';
  return moved('tag-first', message, steps[0]!.span.start, filter, source);
}

/** Steps that process events one by one and write no tag. */
function keepsTags(step: StepNode): boolean {
  if (step.kind === 'Assignment') return !step.target.name.startsWith('#') && step.value.kind !== 'Call';
  if (callKind(step) === 'filter' || isFilter(step) || step.kind === 'FreeText') return true;
  const text = print(step);
  return !text.includes('#') && (callKind(step) === 'value' || /^(?:parse|kvParse\()/i.test(text));
}

function callKind(step: StepNode): string | undefined {
  return step.kind === 'Call' ? findSignature(step.name)?.kind : undefined;
}

/** @param start where to put the filter */
function moved(code: string, message: string, start: number, { span }: FilterNode, source: string): Finding {
  const between = source.slice(start, span.start).trimEnd();
  const isMovable = between.endsWith('|') && !/\/\/|\/\*/.test(between);
  const text = `${source.slice(span.start, span.end)} | ${between.replace(/\s*\|$/, '')}`;
  const fix = isMovable ? { span: { start, end: span.end }, text } : undefined;
  return { code, severity: 'info', message, span, fix };
}

/** Checks the calls of a query against the signatures of their functions. */
export function checkCalls(tree: PipelineNode, source: string): readonly Finding[] {
  return findIn(tree, { Call: (call, parent) => checkCall(call, presetsOf(call, parent), source) });
}

/** `f := fn()` sets `as`; `f =~ fn()`, `f = fn()` and a guard of `match` set `field`. */
function presetsOf(call: CallNode, parent: QueryNode | undefined): readonly string[] {
  if (parent?.kind === 'FieldCall' || parent?.kind === 'Comparison' || parent?.kind === 'MatchArm')
    return ['field'];
  return parent?.kind === 'Assignment' && hasParameter(call, 'as') ? ['as'] : [];
}

/** Functions that read rows in the order of an aggregate. */
const ORDERED = /^(?:accumulate|neighbor|partition|sliding(?:Time)?Window)$/;

/** Reports aggregates in the wrong place, what they need before them, and free text after the first one. */
export function checkSteps(tree: PipelineNode): readonly Finding[] {
  const findings: Finding[] = [...misplacedAggregates(tree)];
  let isOrdered = false;
  let hasRows = false;
  for (const step of tree.steps) {
    const before = hasRows;
    for (const part of step.kind === 'And' ? step.operands : [step]) {
      if (hasRows) findings.push(...freeTextIn(part, !before));
      const name = nameOf(part) ?? '';
      if (!isOrdered && ORDERED.test(name)) {
        const message = `${name}() needs ordered rows: put an aggregate function such as head() or sort() before it.`;
        findings.push(error('unordered-rows', part.span, message));
      }
      isOrdered ||= isAggregate(part) || part.kind === 'SavedQuery';
      // These ignore the events before them, and return events.
      hasRows ||= isAggregate(part) && !['createEvents', 'readFile'].includes(name);
    }
  }
  return findings;
}

/** Whether the rows after a step are those of an aggregate. */
export function isAggregate(step: StepNode): boolean {
  if (step.kind === 'Stats') return true;
  if (step.kind === 'Assignment' || step.kind === 'Comparison') return isAggregateCall(step.value);
  if (step.kind === 'And') return step.operands.some(isAggregate);
  return isAggregateCall(step);
}

/** Aggregates where steps process single events, and braces without the aggregate that they need. */
function misplacedAggregates(tree: PipelineNode): readonly Finding[] {
  const refused = (where: string, pipelines: readonly PipelineNode[]): readonly Finding[] =>
    pipelines
      .flatMap(({ steps }) => steps.filter(isAggregate))
      .map(({ span }) => {
        const message = `An aggregate function is not allowed inside ${where} { … }: set a field there, and group by it after the braces.`;
        return error('aggregate-in-clause', span, message);
      });
  return findIn(tree, {
    Case: ({ clauses }) => refused('case', clauses),
    Match: ({ arms }) =>
      refused(
        'match',
        arms.map(({ pipeline }) => pipeline),
      ),
    Call: (call) =>
      call.arguments.flatMap((argument) => {
        const { value } = argument;
        const parameter = parameterOf(argument, call);
        if (value.kind !== 'Subquery' || parameter === undefined) return [];
        if (parameter.form.kind === 'steps') return refused(parameter.name, [value.pipeline]);
        const isUseful = value.pipeline.steps.some((step) => step.kind === 'SavedQuery' || isAggregate(step));
        if (parameter.form.kind !== 'aggregate' || isUseful) return [];
        return error('not-an-aggregate', value.span, '{ … } must contain an aggregate function.');
      }),
  });
}

/** Why free text is rejected. */
export const FREE_TEXT =
  'Free text is only allowed before the first aggregate function: after it, compare a field, as in field=*text*';

/** @param isStart whether the step has an aggregate before the text, so that probably a `|` is missing */
function freeTextIn(step: StepNode, isStart: boolean): readonly Finding[] {
  return findIn(step, {
    FreeText({ value, span }) {
      if (value.kind === 'Parameter' || (value.kind === 'Pattern' && /^\**$/.test(value.text))) return [];
      const isWord = isStart && value.kind === 'Pattern';
      const message = isWord ? 'A "|" is missing before this step.' : `${FREE_TEXT}.`;
      const fix = isWord ? { span: { start: span.start, end: span.start }, text: '| ' } : undefined;
      return { ...error('free-text-after-aggregate', span, message), fix };
    },
    Subquery: () => false,
  });
}
