import { escapeRegex } from '../../core/escape-regex.ts';
import { quoteField, quoteString } from '../../core/query-text.ts';
import type { ComparisonNode, FilterNode, PipelineNode, QueryNode, Span, StepNode } from '../ast.ts';
import { conjunctsOf } from '../operator-chain.ts';
import { print, regexLiteral } from '../printer.ts';
import { textAt } from '../source.ts';
import { type Finding, warning } from './diagnostic.ts';

/** Finds comparisons that are no error, but that no event, or any event, passes. */
export const COMPARISONS = [
  ({ value, field, operator, span }: ComparisonNode) =>
    /^!?=$/.test(operator) ? subnetText([value], field.name, span, operator.slice(0, -1)) : undefined,
  percentSign,
  comparedName,
  division,
  lostName,
  otherCase,
  ({ value, field }: ComparisonNode) => quotedRegex(value, field.name),
];

/** `user!=a or user!=b`, `not user=a or not user=b` */
export function alwaysTrue(operands: readonly FilterNode[], span: Span): Finding | undefined {
  const excluded = operands.flatMap((one) => {
    const [filter, operator] = one.kind === 'Not' ? [one.operand, '='] : [one, '!='];
    const isExcluded = filter.kind === 'Comparison' && filter.operator === operator;
    return isExcluded && !plainValue(filter).includes('*') ? [filter] : [];
  });
  const repeated = excluded.find((one) =>
    excluded.some((other) => other.field.name === one.field.name && plainValue(other) !== plainValue(one)),
  );
  if (repeated === undefined) return undefined;
  const { name } = repeated.field;
  const message = `This is true for every event: "${name}" can't have both values. Write "and" between them.`;
  return warning('always-true', span, message);
}

/** `user=a user=b`, also as steps. Other filters than comparisons may write fields. */
export function neverTrue(steps: readonly StepNode[]): Finding | undefined {
  let before: ComparisonNode[] = [];
  for (const one of steps.flatMap(conjunctsOf)) {
    if (one.kind === 'FreeText' && one.value.kind === 'Pattern') continue;
    if (one.kind !== 'Comparison' || one.value.kind === 'Regex' || one.value.kind === 'Call') before = [];
    else {
      const other = before.find((earlier) => excludes(earlier, one) || excludes(one, earlier));
      const message = `No event has both ${other && print(other)} and ${print(one)}. Write "or" between them, or leave one out.`;
      if (other !== undefined) return warning('never-true', one.span, message);
      // A query can have thousands of steps.
      before = [one, ...before.slice(0, 20)];
    }
  }
  return undefined;
}

/** Whether no value of a field can have both. */
function excludes(a: ComparisonNode, b: ComparisonNode): boolean {
  if (a.field.name !== b.field.name) return false;
  const [text, other] = [plainValue(a), plainValue(b)];
  const [least, most] = [limitOf(a), limitOf(b)];
  const isText = a.operator === '=' && !`${text}${other}`.includes('*');
  if (isText && b.operator === '=') return text !== other && least !== most;
  if (isText && b.operator === '!=') return text === other;
  if (!/^(?:>=?|=)$/.test(a.operator) || !/^(?:<=?|=)$/.test(b.operator)) return false;
  return least > most || (least === most && (a.operator === '>' || b.operator === '<'));
}

function limitOf({ value }: ComparisonNode): number {
  return 'text' in value ? Number(value.text) : Number.NaN;
}

function plainValue({ value }: ComparisonNode): string {
  return value.kind === 'Pattern' ? value.text : '*';
}

/** `name := lower(user) | name="Bob"`. Other steps than filters and assignments may write the field. */
function otherCase({ field, operator, value }: ComparisonNode, source: string): Finding | undefined {
  if (value.kind !== 'Pattern' || !/^!?=$/.test(operator)) return undefined;
  const { start } = value.span;
  const before = source.slice(Math.max(0, start - 300), start);
  const name = `(?<![\\w.@#])${escapeRegex(field.name)}`;
  const call = `${name}\\s*:=\\s*(lower|upper)\\([^()]*|(lower|upper)\\([^()]*as=${name}`;
  const found = new RegExp(`(?:${call})\\)(?:(?!${name}\\s*:=)[^{};(])*$`, 'i').exec(before);
  const [, set, change = set] = found ?? [];
  if (change === undefined) return undefined;
  const text = /^l/i.test(change) ? value.text.toLowerCase() : value.text.toUpperCase();
  const message = `After ${change}(), "${field.name}" never has these letters.`;
  return text === value.text ? undefined : warning('never-true', value.span, message, quoteString(text));
}

/** `x := a | y := b | x=y`, `neighbor(ip, prefix=prev) | prev.ip != ip` */
export function comparedName(
  node: ComparisonNode,
  source: string,
  made: ReadonlySet<string>,
): Finding | undefined {
  const { field, operator, value, span } = node;
  const text = value.kind === 'Pattern' && !value.quoted ? value.text : '';
  const isEarlier = field.name.endsWith(`.${text}`) && /\bneighbor\(/i.test(source);
  const isField = (made.has(text) && made.has(field.name)) || isEarlier;
  if (!isField || source.includes(`"${text}"`) || !/^!?=$/.test(operator)) return undefined;
  const written = `test(${print(field)} ${operator.replace(/^=/, '==')} ${text})`;
  return warning('compared-field', span, `"${text}" is a string here, not the field.`, written);
}

/** `ratio=a/b | ratio>2`: a later step uses a number. */
function division({ span }: ComparisonNode, source: string): Finding | undefined {
  const [, field, value] =
    /^([A-Za-z_][\w.]*)\s*=\s*([A-Za-z_][\w.]*\/[\w.]+)\s*\|.*(?:\b(?:sum|avg|min|max|stdDev|percentile)\((?:field=)?\1\b|(?<![\w.@#])\1\s*[<>])/s.exec(
      source.slice(span.start, span.start + 300),
    ) ?? [];
  return value === undefined
    ? undefined
    : warning('assignment', span, '"=" compares here.', `${field} := ${value}`);
}

/** `user=bob|eve`, `user=/bob/|eve`: with spaces, the words may be meant. */
export function pipedValues({ steps }: PipelineNode, source: string): readonly Finding[] {
  return steps.flatMap((step, place) => {
    let first = step;
    while (first.kind === 'And' || first.kind === 'Or') first = first.operands.at(-1)!;
    const values: FilterNode[] = [];
    for (const next of first.kind === 'Comparison' ? steps.slice(place + 1, place + 20) : []) {
      const { end } = (values.at(-1) ?? first).span;
      if (next.kind !== 'FreeText' || source.slice(end, next.span.start) !== '|') break;
      values.push(next);
    }
    return values.length === 0 ? [] : (lostField([first as FilterNode, ...values], source, true) ?? []);
  });
}

/** `UserName=John Smith` */
function lostName({ span }: ComparisonNode, source: string): Finding | undefined {
  const [, ...groups] = NAME.exec(source.slice(span.start, span.start + 200)) ?? [];
  const [field = '', name] = groups.filter((one) => one !== undefined);
  if (name === undefined) return undefined;
  const message = `${JSON.stringify(name.replace(/^\S+ /, ''))} is searched for in all fields here.`;
  const end = span.start + field.length + 1 + name.length;
  return warning('lost-field', { start: span.start, end }, message, `${field}="${name}"`);
}

const NAME =
  /^([\w.@#]*[Nn]ame)=([A-Z][a-z]+(?: (?!And\b|Or\b|Not\b)[A-Z][a-z]+)+)(?!\S)|^([\w.@#]+)=([\w*.-]+\.exe(?: -[\w-]+)+)(?!\S)/;

/** `file="a.exe" or "b.exe"`. With other endings, the words may be meant. */
export function lostField(
  operands: readonly FilterNode[],
  source: string,
  isJoined = false,
): Finding | undefined {
  const [first, ...others] = operands;
  if (first?.kind !== 'Comparison' || !/^!?=$/.test(first.operator)) return undefined;
  const texts = others.map((one) =>
    one.kind === 'FreeText' && one.value.kind === 'Pattern' ? one.value.text : '',
  );
  const span = { start: first.span.start, end: operands.at(-1)!.span.end };
  const message = `${JSON.stringify(texts[0])} is searched for in all fields here.`;
  const words = source.slice(first.span.end, span.end);
  if (first.value.kind === 'Regex' && isJoined && /^[\w|]+$/.test(words)) {
    const regex = textAt(source, first.span).replace(/(?=\/\w*$)/, words);
    return warning('lost-field', span, message, regex);
  }
  if (first.value.kind !== 'Pattern') return undefined;
  // A star at the end of a word that is searched for means nothing.
  const [ending = ' '] = /\.\w{2,4}$|(?<=\w)\*$/.exec(first.value.text) ?? [];
  const shapeOf = (text: string) => text.replace(/[a-z]+/gi, 'a').replace(/\d+/g, '0');
  const shape = shapeOf(first.value.text);
  const isAlike = (text: string) => /\d/.test(text) && shapeOf(text) === shape;
  const isCertain = isJoined || texts.every((text) => text.endsWith(ending) || isAlike(text));
  const areWords = !texts.includes('') && others.every(({ span }) => /^"?\w+"?$/.test(textAt(source, span)));
  if (!isCertain && !areWords) return undefined;
  const values = [first.value, ...others].map((one) => textAt(source, one.span)).join(', ');
  const written = `${first.operator.slice(0, -1)}in(${textAt(source, first.field.span)}, values=[${values}])`;
  return { ...warning('lost-field', span, message, written), severity: isCertain ? 'warning' : 'info' };
}

/** `ip="10.0.0.0/8"`, `in(ip, values=["10.0.0.0/8"])` */
export function subnetText(values: readonly QueryNode[], field: string, span: Span, not = '') {
  const texts = values.map(quotedText);
  const isName = /net|cidr|range|prefix|route|block/i.test(field);
  if (isName || !texts.every((text) => /^\d+(?:\.\d+){3}\/\d+$/.test(text))) return undefined;
  const subnet = texts.length === 1 ? `"${texts[0]}"` : `["${texts.join('", "')}"]`;
  const written = `${not}cidr(${quoteField(field)}, subnet=${subnet})`;
  return warning('subnet-text', span, 'No address is equal to a subnet.', written);
}

function quotedText(value: QueryNode): string {
  if (value.kind === 'String') return value.value;
  return value.kind === 'Pattern' && value.quoted ? value.text : '';
}

/** `file="/cmd/"`, `file="^cmd"`: a path can start and end with a slash, but has no marks of a regular expression. */
export function quotedRegex(value: QueryNode, field: string): Finding | undefined {
  const text = quotedText(value);
  const isBare = /^(?:\^|\.\*)[^*]*\w|^[\w-]+\.\w{2,4}(?:\|[\w-]+\.\w{2,4})+$/.test(text);
  const pattern = /(?:name|line|user|host|level)$/i.test(field)
    ? /^\/[^/]+\/i?$/
    : /^\/.*(?:\.\*|[\\|^$]).*\/i?$/;
  if (!isBare && !pattern.test(text)) return undefined;
  const regex = isBare ? regexLiteral(text) : text;
  const message = `In quotes, this is plain text, not a regular expression. Write ${field}=${regex}.`;
  return warning('quoted-regex', value.span, message);
}

/** `status=5%` */
function percentSign({ field, operator, value }: ComparisonNode): Finding | undefined {
  if (!/^!?=$/.test(operator) || value.kind !== 'Pattern' || value.quoted) return undefined;
  if (!(/status/i.test(field.name) ? /^\w+%$/ : /^(?:%(?!\d))?\w*[a-z]\w*%$/i).test(value.text))
    return undefined;
  const message = '"%" is a character here. Any text is "*".';
  return warning('percent-sign', value.span, message, value.text.replaceAll('%', '*'));
}
