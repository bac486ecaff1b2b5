import type { CallNode, ExpressionNode, PipelineNode, QueryNode, StepNode } from '../ast.ts';
import { isNumberText } from '../character-classes.ts';
import { findSignature } from '../functions/find-function.ts';
import { chainOf } from '../operator-chain.ts';
import { walk } from '../walk.ts';
import { elementsOf, textArgument, textOf, type ValueNode, valuesOf } from './call-arguments.ts';
import { error, type Finding, warning } from './diagnostic.ts';
import { doubtfulValues } from './doubtful-values.ts';
import { formatted } from './mistakes/conversions.ts';
import { EVENTS, orderAfter, stepKeeping } from './row-order.ts';

/** Finds valid calls and expressions that give an empty or a wrong result. */
export function silentMistakes(tree: PipelineNode, source: string): readonly Finding[] {
  const findings: (Finding | undefined)[] = [...lostOrders(tree), ...doubtfulValues(tree, source)];
  walk(tree, {
    Call(call, parent) {
      const name = nameOf(call);
      if (name === 'count') findings.push(countedStar(call, source));
      if (name === 'concat') findings.push(joinedLiteral(call, parent, source));
      if (name === 'formatTime') findings.push(constantTime(call));
      if (name === 'format') findings.push(invalidFormat(call), formatFields(call, source));
    },
    Binary(node) {
      const problem = textSum(node, source);
      findings.push(problem);
      return problem === undefined;
    },
  });
  return findings.filter((one) => one !== undefined);
}

function nameOf(step: StepNode | CallNode | undefined): string | undefined {
  return step?.kind === 'Call' ? findSignature(step.name)?.name : undefined;
}

/** `count(*)` and `count(1)` of SQL. */
function countedStar({ arguments: [star, next], span }: CallNode, source: string): Finding | undefined {
  if (star === undefined || star.name !== undefined || !/^[*1]$/.test(textOf(star.value) ?? ''))
    return undefined;
  const written = source.slice(star.span.start, star.span.end);
  const message = `count(${written}) counts the events that have a field "${written}".`;
  return {
    ...warning('sql-count-star', span, message),
    propose: (text) => `To count all events, write count(${text}).`,
    fix: { span: { start: star.span.start, end: next?.span.start ?? star.span.end }, text: '' },
  };
}

/** `concat([host, "-", level])`: quoted names are fields, too. */
function joinedLiteral(call: CallNode, parent: QueryNode | undefined, source: string): Finding | undefined {
  const values = elementsOf(valuesOf(call, 'field'));
  if (!values.some((value) => value.kind === 'String' && !/[\w@#]/.test(value.value))) return undefined;
  const isValue = parent?.kind === 'Assignment' || parent?.kind === 'Binary';
  const as = textArgument(call, 'as') ?? (isValue ? undefined : '_concat');
  const format = formatOf(values, source);
  const text = as === undefined ? format : format?.replace(/\)$/, `, as=${as})`);
  const message = 'concat() joins fields only: text in quotes is the name of a field.';
  return warning('concat-text', call.span, message, text || undefined);
}

/** `formatTime("yyyy-MM-dd")` is always the text yyyy-MM-dd. */
function constantTime(call: CallNode): Finding | undefined {
  const format = textArgument(call, 'format');
  if (format === undefined || format.includes('%')) return undefined;
  const message = `The format "${format}" has no part of the time, which starts with "%". Write formatTime("%Y-%m-%d %H:%M:%S").`;
  return warning('constant-time', call.span, message);
}

const FORMAT_PLACE = /%(?:\d+\$|<)?[-+ #0,]*\d*(?:\.\d*)?h?(?:[dibBoxXfFeEgGscn%]|[tT][a-zA-Z])/g;

/** `format("%d%")` */
function invalidFormat(call: CallNode): Finding | undefined {
  const rest = textArgument(call, 'format')?.replace(FORMAT_PLACE, '') ?? '';
  if (!rest.includes('%')) return undefined;
  const start = rest.indexOf('%');
  const message = `Invalid format: "${rest.slice(start, start + 2)}" is not a format; write %% for a percent sign.`;
  return error('invalid-format', call.span, message);
}

/** `format("%s %s", field=[a])`, `format("{}", field=[a])` */
function formatFields(call: CallNode, source: string): Finding | undefined {
  const [format] = valuesOf(call, 'format');
  const text = (format && textOf(format)) ?? '';
  const places = (text.match(FORMAT_PLACE) ?? []).filter((place) => !/[n%]$/.test(place));
  const fields = elementsOf(valuesOf(call, 'field')).length;
  if (fields === 0 || places.some((place) => /[$<]/.test(place))) return undefined;
  if (places.length === 0 && text.includes('{}')) {
    const written = source.slice(format!.span.start, format!.span.end).replaceAll('{}', '%s');
    return warning('format-fields', format!.span, '"{}" is text in a format.', written);
  }
  const message = `The format has ${places.length} values, and "field" has ${fields}: the others are "null".`;
  return places.length > fields ? warning('format-fields', call.span, message) : undefined;
}

/** Functions whose result is text. */
const TEXTS: readonly string[] = ['lower', 'upper', 'format', 'formatTime', 'replace'];

function isText(value: ExpressionNode): boolean {
  if (value.kind === 'Call') return TEXTS.includes(nameOf(value) ?? '');
  return value.kind === 'String' && !isNumberText(value.value);
}

/** `host + "-" + level` */
function textSum(node: Extract<ExpressionNode, { kind: 'Binary' }>, source: string): Finding | undefined {
  if (node.operator !== '+') return undefined;
  const { first, links } = chainOf(node);
  const values = [first, ...links.map(({ operand }) => operand)];
  if (!values.some(isText)) return undefined;
  const text = links.every(({ operator }) => operator === '+') ? formatOf(values, source) : undefined;
  return {
    ...warning('text-sum', node.span, '"+" adds numbers: with other text, there is no result.'),
    propose: (written) => `To join text, write ${written}.`,
    words: 'To join text, write format("%s-%s", field=[a, b]).',
    fix: text ? { span: node.span, text } : undefined,
  };
}

/** Fields and strings as a call of `format()`; `undefined` for other values. */
function formatOf(values: readonly ValueNode[], source: string): string | undefined {
  const isPlain = values.every(({ kind }) => kind === 'Bareword' || kind === 'String');
  return isPlain ? formatted(values.map(({ span }) => source.slice(span.start, span.end))) : undefined;
}

/** `sort(ms) | head(5)`: of events, `head()` and `tail()` return the oldest and the newest; other rows have no time. */
function lostOrders({ steps }: PipelineNode): Finding[] {
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
