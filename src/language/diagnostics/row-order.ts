import type { ArgumentNode, CallNode, ComparisonNode, PipelineNode, StepNode } from '../ast.ts';
import { print } from '../printer.ts';
import { nameOf, namesIn, textArgument, valuesOf } from './call-arguments.ts';
import { type Finding, warning } from './diagnostic.ts';
import { isAggregateCall } from './field-flow.ts';
import { sortCall } from './mistakes/conversions.ts';
import type { Kept } from './mistakes/dialect.ts';

/** What the rows before a step are: events, or rows that the steps before have made, and how they are sorted. */
export interface RowOrder {
  readonly hasTime: boolean;
  /** The call of `sort()` that orders the rows. */
  readonly sort?: CallNode | undefined;
  /** The last filter, such as `ms=*`. */
  readonly filter?: ComparisonNode | undefined;
  /** Fields that could order them. */
  readonly keys?: readonly string[] | undefined;
}

export const EVENTS: RowOrder = { hasTime: true };
export const UNKNOWN: RowOrder = { hasTime: false };

/** What a step makes of rows. */
export function orderAfter(step: StepNode, before: RowOrder): RowOrder {
  if (step.kind === 'Stats') return { hasTime: false };
  if (step.kind === 'Assignment' && isAggregateCall(step.value)) return { hasTime: false };
  if (step.kind === 'Comparison') return { ...before, filter: step };
  if (step.kind !== 'Call') return before;
  switch (nameOf(step)) {
    case 'sort':
      return { ...before, sort: step };
    case 'head':
    case 'tail':
      return { ...before, sort: undefined };
    case 'groupBy':
      // Whole events have their time.
      if (/=(?:head|tail)\(\d+\)\)$/.test(print(step))) return EVENTS;
      return { hasTime: false, keys: namesIn(valuesOf(step, 'field')) };
    case 'bucket':
    case 'timeChart':
      return { hasTime: false, keys: ['_bucket'] };
    case 'select':
    case 'table': {
      const fields = namesIn(valuesOf(step, 'fields'));
      return { ...before, hasTime: before.hasTime && fields?.includes('@timestamp') !== false };
    }
    case 'createEvents':
    case 'readFile':
      return EVENTS;
    case 'selectLast':
      return { hasTime: before.hasTime };
    default:
      return isAggregateCall(step) ? { hasTime: false } : before;
  }
}

/** A step that keeps some rows; `undefined` if no step can. It may replace the step of `sort()` before it. */
export function stepKeeping(
  kept: Kept,
  limit: string,
  { hasTime, sort, keys, filter }: RowOrder,
  areNullsLast?: boolean,
): string | undefined {
  if (sort !== undefined) {
    // Events without the key are first here. Rows of aggregates have it.
    const call = print(sort);
    const hasKey = filter !== undefined && call.includes(`(${print(filter).replace('=*', ',')}`);
    if (areNullsLast && hasTime && !hasKey && call.includes('asc')) return undefined;
    const own = textArgument(sort, 'limit');
    const isLimited = own !== undefined && own !== 'max';
    if (isLimited && (kept === 'last' || Number(own) < Number(limit))) return undefined;
    return sortedBy(sort, kept === 'last', limit);
  }
  if (hasTime) return `${kept === 'first' ? 'tail' : 'head'}(${limit})`;
  return sortCall(keys?.join(', ') ?? '', kept === 'last' ? 'desc' : 'asc', limit) || undefined;
}

/** The call with a limit, and the other direction for the last rows. */
function sortedBy(sort: CallNode, isReverse: boolean, limit: string): string | undefined {
  const isNamed = (name: string) => (argument: ArgumentNode) => argument.name?.name === name;
  const order = sort.arguments.find(isNamed('order'));
  if (isReverse && (order?.value.kind === 'Array' || sort.arguments.some(isNamed('reverse'))))
    return undefined;
  const others = sort.arguments.filter((one) => !isNamed('limit')(one) && !(isReverse && one === order));
  const isAscending = /^a/i.test((order && textArgument(sort, 'order')) ?? 'desc');
  const call = print({ ...sort, arguments: others }).slice(0, -1);
  return `${call}${isReverse ? `, order=${isAscending ? 'desc' : 'asc'}` : ''}, limit=${limit})`;
}

/** `sort(ms) | head(5)`: of events, `head()` and `tail()` return the oldest and the newest; other rows have no time. */
export function lostOrders({ steps }: PipelineNode): readonly Finding[] {
  const findings: Finding[] = [];
  let order = EVENTS;
  for (const [index, step] of steps.entries()) {
    const before = order;
    order = orderAfter(step, order);
    const name = nameOf(step);
    if (name !== 'head' && name !== 'tail') continue;
    const previous = steps[index - 1];
    const isSorted = nameOf(previous) === 'sort' && textArgument(previous as CallNode, 'limit') === undefined;
    if (before.hasTime && !isSorted) continue;
    const limit = textArgument(step as CallNode, 'limit') ?? '200';
    const message = before.hasTime
      ? `${name}() orders events by time, so the order of sort() is lost.`
      : `${name}() needs events with a @timestamp, which the service requires: the steps before return other rows.`;
    const written = name === 'head' ? stepKeeping('first', limit, before) : undefined;
    const start = (before.sort !== undefined && isSorted ? previous! : step).span.start;
    findings.push({
      ...warning(before.hasTime ? 'order-lost' : 'rows-without-time', step.span, message),
      propose: (text: string) => `Write ${text} instead.`,
      ...(before.hasTime && { words: `Write sort(…, limit=${limit}) instead.` }),
      fix: written === undefined ? undefined : { span: { start, end: step.span.end }, text: written },
    });
  }
  return findings;
}
