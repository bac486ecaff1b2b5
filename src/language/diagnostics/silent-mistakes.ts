import { SECONDS } from '../../core/epoch.ts';
import { quoteField } from '../../core/query-text.ts';
import type {
  CallNode,
  ComparisonNode,
  ExpressionNode,
  FilterNode,
  PipelineNode,
  QueryNode,
  Span,
  StepNode,
} from '../ast.ts';
import { isNumberText } from '../character-classes.ts';
import { readDuration } from '../duration.ts';
import { SINGLE_OUTPUTS } from '../functions/outputs.ts';
import { chainOf, conjunctsOf } from '../operator-chain.ts';
import { print, regexLiteral } from '../printer.ts';
import { walk } from '../walk.ts';
import {
  elementsOf,
  nameOf,
  parameterOf,
  textArgument,
  textOf,
  type ValueNode,
  valuesOf,
} from './call-arguments.ts';
import { error, type Finding, warning } from './diagnostic.ts';
import { formatted, named } from './mistakes/conversions.ts';
import { known } from './mistakes/times.ts';
import { lostOrders } from './row-order.ts';

/** Finds valid parts of a query that give an empty or a wrong result, or that surely mean something else. */
export function silentMistakes(tree: PipelineNode, source: string): readonly Finding[] {
  const findings: (Finding | undefined)[] = [...lostOrders(tree), manyPipes(tree)];
  const textIn = ({ start, end }: Span) => source.slice(start, end);
  const seconds = (time: { readonly span: Span }, { span }: { readonly span: Span }) =>
    times.has(textIn(time.span)) ? epochSeconds(textIn(span), span) : undefined;
  const made = new Set<string>();
  const times = new Set(['@timestamp']);
  let sumEnd = -1;
  walk(tree, {
    Pattern: ({ span, quoted }) => void findings.push(quoted ? escapedPath(textIn(span), span) : undefined),
    String: ({ span }) => void findings.push(escapedPath(textIn(span), span)),
    Regex: ({ body, span }) => void findings.push(pathInRegex(body, span)),
    Or: ({ operands, span }) => void findings.push(alwaysTrue(operands, span), lostField(operands, textIn)),
    And: ({ operands }, parent) =>
      void findings.push(parent?.kind === 'Pipeline' ? undefined : neverTrue(operands)),
    Comparison: (node) =>
      void findings.push(
        seconds(node.field, node.value),
        ...COMPARISONS.map((find) => find(node, source, made)),
      ),
    Match: ({ arms }) =>
      void findings.push(unreachable(arms, ({ guard, pipeline }) => [guard, ...pipeline.steps])),
    Case: ({ clauses }) => void findings.push(...caseMistakes(clauses, textIn)),
    FreeText: (node) =>
      void findings.push(searchedMark(node, /^[:,;|>]+$/, 'start a step, write "|"', textIn)),
    Array: ({ elements }) => void findings.push(...repeatedOutputs(elements)),
    Pipeline: (node) => void findings.push(neverTrue(node.steps), ...pipedValues(node, textIn)),
    Binary(node) {
      const { left, right } = node;
      const sum = left.span.start < sumEnd ? undefined : textSum(node, source);
      if (sum !== undefined) sumEnd = sum.span.end;
      findings.push(sum, calculatedField(left), calculatedField(right), seconds(left, right));
    },
    Argument({ name, value }) {
      if (name?.name === 'as') made.add(textOf(value) ?? '');
    },
    Assignment({ target, value }) {
      made.add(target.name);
      if (textIn(value.span) === '@timestamp') times.add(target.name);
      findings.push(
        value.kind === 'String'
          ? placeholders(value.value, value.span)
          : calculatedField(value as ExpressionNode),
      );
    },
    Call: (call, parent) =>
      void findings.push(
        CALLS[nameOf(call) ?? '']?.(call, source, parent),
        ...bareArrays(call, textIn),
        ...wrongNames(call, made),
        ...textsOf(call, ['regex'], pathInRegex),
        ...textsOf(call, ['start', 'end'], epochSeconds),
      ),
  });
  return findings.filter((one) => one !== undefined);
}

/** `case { *; a=1 }`, `case { a=1 | x="a"; * | x="b" }` and `case { a=1; default }` */
function caseMistakes(clauses: readonly PipelineNode[], textIn: (span: Span) => string) {
  const [word] = clauses.at(-1)?.steps.flatMap(conjunctsOf) ?? [];
  return [
    unreachable(clauses, ({ steps }) => steps),
    ...comparedClauses(clauses, textIn),
    searchedMark(word, /^(?:default|else|otherwise):?$/i, 'keep all others, write *', textIn),
  ];
}

/** `case { a=1; default }` and `a=1 : b=2` */
function searchedMark(
  node: StepNode | undefined,
  pattern: RegExp,
  toWrite: string,
  textIn: (span: Span) => string,
): Finding | undefined {
  const word = node && textIn(node.span);
  if (!word || !pattern.test(word)) return undefined;
  return warning('searched-mark', node.span, `"${word}" is searched for here. To ${toWrite}.`);
}

const COMPARISONS = [
  subnetText,
  percentSign,
  comparedName,
  lostName,
  ({ value, field }: ComparisonNode) => quotedRegex(value, field.name),
];

type CallCheck = (call: CallNode, source: string, parent: QueryNode | undefined) => Finding | undefined;

const CALLS: Readonly<Record<string, CallCheck>> = {
  concat: joinedLiteral,
  count: countedStar,
  format: (call, source) => invalidFormat(call) ?? formatFields(call, source),
  formatTime: constantTime,
  if: starText,
  in: emptyValues,
  parseTimestamp: timePattern,
  test: starText,
};

type TextCheck = (text: string, span: Span) => Finding | undefined;

function textsOf(call: CallNode, names: readonly string[], find: TextCheck) {
  const values = names.flatMap((name) => valuesOf(call, name));
  return values.map((value) => find(textOf(value) ?? '', value.span));
}

const BACKSLASH = String.raw`(?<!\\)(?:\\\\)*\\`;
/** Names in paths that start with the letter of an escape, and that are no words without it. */
const NAMES = '(?:te?mp|tools|tasklist|new\\d*|net1?|notepad|roaming|rundll32)(?![a-z])';
const ESCAPED = new RegExp(`${BACKSLASH}(?=${NAMES})([tnr])|[^\\\\]\\\\([tnr])\\w+\\\\[^tnr"\\\\]`);
const FOLDERS = new RegExp(
  `${BACKSLASH}(?:(?:Windows|System32|SysWOW64|Users|Program ?Files|ProgramData|AppData|Desktop|Temp|cmd)(?![a-z])|${NAMES})`,
);

/** `"*\temp\*"`, in which `\t` is a tab. */
function escapedPath(text: string, span: Span): Finding | undefined {
  const pattern = /^"[A-Za-z]:\\[\w ]+["\\]/.test(text) ? /(?<!\\)(?:\\\\)*\\([tnr])\w/ : ESCAPED;
  const [found, first, mark = first ?? ''] = pattern.exec(text) ?? [];
  if (found === undefined) return undefined;
  const name = { t: 'a tab', n: 'a newline', r: 'a carriage return' }[mark];
  const written = text.replace(/\\\\|\\(?!")/g, '\\\\');
  return warning('escaped-path', span, `"\\${mark}" is ${name} in a string.`, written);
}

/** `/\Windows\System32/`, in which `\W` and `\S` are classes of characters. */
function pathInRegex(body: string, span: Span): Finding | undefined {
  const [found] = FOLDERS.exec(body) ?? [];
  const message = `"${found?.replace('\\\\', '')}" is not a folder in a regular expression: write each backslash of a path as \\\\.`;
  return found === undefined ? undefined : warning('path-in-regex', span, message);
}

/** `user!=a or user!=b` */
function alwaysTrue(operands: readonly FilterNode[], span: Span): Finding | undefined {
  const excluded = operands
    .filter((one) => one.kind === 'Comparison')
    .filter((one) => one.operator === '!=' && !plainValue(one).includes('*'));
  const repeated = excluded.find((one) =>
    excluded.some((other) => other.field.name === one.field.name && plainValue(other) !== plainValue(one)),
  );
  if (repeated === undefined) return undefined;
  const { name } = repeated.field;
  const message = `This is true for every event: "${name}" can't have both values. Write "and" between them.`;
  return warning('always-true', span, message);
}

/** `user=a user=b`, also as steps. Other filters than comparisons may write fields. */
function neverTrue(steps: readonly StepNode[]): Finding | undefined {
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

/** `x := a | y := b | x=y` */
function comparedName(node: ComparisonNode, source: string, made: ReadonlySet<string>): Finding | undefined {
  const { field, operator, value, span } = node;
  const text = value.kind === 'Pattern' && !value.quoted ? value.text : '';
  const isField = made.has(text) && made.has(field.name) && !source.includes(`"${text}"`);
  if (!isField || !/^!?=$/.test(operator)) return undefined;
  const written = `test(${print(field)} ${operator.replace(/^=/, '==')} ${text})`;
  return warning('compared-field', span, `"${text}" is a string here, not the field.`, written);
}

/** `user=bob|eve`: with spaces, the words may be meant. */
function pipedValues({ steps }: PipelineNode, textIn: (span: Span) => string): readonly Finding[] {
  return steps.flatMap((first, place) => {
    const values: FilterNode[] = [];
    for (const next of first.kind === 'Comparison' ? steps.slice(place + 1, place + 20) : []) {
      const { end } = (values.at(-1) ?? first).span;
      if (next.kind !== 'FreeText' || textIn({ start: end, end: next.span.start }) !== '|') break;
      values.push(next);
    }
    return values.length === 0 ? [] : (lostField([first as FilterNode, ...values], textIn, true) ?? []);
  });
}

/** `UserName=John Smith` */
function lostName({ span }: ComparisonNode, source: string): Finding | undefined {
  const [, field = '', name] = NAME.exec(source.slice(span.start, span.start + 200)) ?? [];
  if (name === undefined) return undefined;
  const message = `${JSON.stringify(name.replace(/^\w+ /, ''))} is searched for in all fields here.`;
  const end = span.start + field.length + 1 + name.length;
  return warning('lost-field', { start: span.start, end }, message, `${field}="${name}"`);
}

const NAME = /^([\w.@#]*[Nn]ame)=([A-Z][a-z]+(?: (?!And\b|Or\b|Not\b)[A-Z][a-z]+)+)(?!\S)/;

/** `file="a.exe" or "b.exe"`. With other endings, the words may be meant. */
function lostField(
  operands: readonly FilterNode[],
  textIn: (span: Span) => string,
  isJoined = false,
): Finding | undefined {
  const [first, ...others] = operands;
  if (first?.kind !== 'Comparison' || first.value.kind !== 'Pattern') return undefined;
  if (!/^!?=$/.test(first.operator)) return undefined;
  const texts = others.map((one) =>
    one.kind === 'FreeText' && one.value.kind === 'Pattern' ? one.value.text : '',
  );
  const [ending = ' '] = /\.\w{2,4}$/.exec(first.value.text) ?? [];
  const isCertain = isJoined || texts.every((text) => text.endsWith(ending));
  const areWords = !texts.includes('') && others.every(({ span }) => /^\w+$/.test(textIn(span)));
  if (!isCertain && !areWords) return undefined;
  const span = { start: first.span.start, end: operands.at(-1)!.span.end };
  const values = [first.value, ...others].map((one) => textIn(one.span)).join(', ');
  const written = `${first.operator.slice(0, -1)}in(${textIn(first.field.span)}, values=[${values}])`;
  const message = `${JSON.stringify(texts[0])} is searched for in all fields here.`;
  return { ...warning('lost-field', span, message, written), severity: isCertain ? 'warning' : 'info' };
}

/** `ip="10.0.0.0/8"` */
function subnetText({ field, operator, value, span }: ComparisonNode): Finding | undefined {
  if (value.kind !== 'Pattern' || !value.quoted || !/^\d+(?:\.\d+){3}\/\d+$/.test(value.text))
    return undefined;
  if (!/^!?=$/.test(operator) || /net|cidr|range|prefix|route|block/i.test(field.name)) return undefined;
  const written = `${operator.slice(0, -1)}cidr(${print(field)}, subnet="${value.text}")`;
  return warning('subnet-text', span, 'No address is equal to a subnet.', written);
}

/** `file="/cmd/"`, `file="^cmd"`: a path can start and end with a slash, but has no marks of a regular expression. */
function quotedRegex(value: QueryNode, field: string): Finding | undefined {
  const text =
    value.kind === 'String' ? value.value : value.kind === 'Pattern' && value.quoted ? value.text : '';
  const isBare = /^(?:\^|\.\*)[^*]*\w/.test(text);
  if (!(/name$/i.test(field) ? /^\/[^/]+\/i?$/ : /^\/.*(?:\.\*|[\\|^$]).*\/i?$/).test(text) && !isBare)
    return undefined;
  const regex = isBare ? regexLiteral(text) : text;
  const message = `In quotes, this is plain text, not a regular expression. Write ${field}=${regex}.`;
  return warning('quoted-regex', value.span, message);
}

/** `math:abs(-5)`, `drop("User*")`, `min(_time)`: such a value is the name of one field. */
function wrongNames(call: CallNode, made: ReadonlySet<string>): readonly (Finding | undefined)[] {
  const values = call.arguments.filter((argument) => {
    const parameter = parameterOf(argument, call);
    return parameter?.form.kind === 'field' && !/^(?:as|include|column|key)$/.test(parameter.name);
  });
  return elementsOf(values.map(({ value }) => value)).map((value) => {
    const text = textOf(value) ?? '';
    const message = `${JSON.stringify(text)} is the name of one field here`;
    if (isNumberText(text)) return warning('field-name', value.span, `${message}, not a number.`);
    if (/^(?:select|drop)$/.test(nameOf(call)!) && text.includes('*'))
      return warning('field-pattern', value.span, `${message}. Write ${nameOf(call)}([a, b]).`);
    if (!/^_(?:time|raw)$/.test(text) || made.has(text)) return undefined;
    return warning('field-name', value.span, `"${text}" is a field of Splunk.`, known(text));
  });
}

/** `status=5%` */
function percentSign({ field, operator, value }: ComparisonNode): Finding | undefined {
  if (!/^!?=$/.test(operator) || value.kind !== 'Pattern' || value.quoted) return undefined;
  if (!(/status/i.test(field.name) ? /^\w+%$/ : /^(?:%(?!\d))?\w*[a-z]\w*%$/i).test(value.text))
    return undefined;
  const message = '"%" is a character here. Any text is "*".';
  return warning('percent-sign', value.span, message, value.text.replaceAll('%', '*'));
}

/** `@timestamp > 1795168800` and `setTimeInterval(start=1795168800)` */
function epochSeconds(text: string, span: Span): Finding | undefined {
  if (!SECONDS.test(text)) return undefined;
  const message = `${text} is in 1970: times are in milliseconds.`;
  return warning('epoch-seconds', span, message, `${text}000`);
}

/** `case { *; a=1 }`: an event goes to the first clause that keeps it. */
function unreachable<Clause extends QueryNode>(
  clauses: readonly Clause[],
  stepsOf: (clause: Clause) => readonly QueryNode[],
): Finding | undefined {
  const next = clauses.find((_, place) => place > 0 && stepsOf(clauses[place - 1]!).every(keepsAll));
  const message = 'No event gets here: the clause before it keeps all events. Write * in the last one.';
  return next && warning('unreachable', next.span, message);
}

function keepsAll(step: QueryNode): boolean {
  if (step.kind === 'Assignment') return step.value.kind !== 'Call';
  const value = step.kind === 'FreeText' ? step.value : step;
  return value.kind === 'Pattern' && value.text === '*' && !value.quoted;
}

/** `case { a=1 | x="a"; * | x="b" }` */
function comparedClauses(
  clauses: readonly PipelineNode[],
  textIn: (span: Span) => string,
): readonly Finding[] {
  const last = clauses.map(({ steps }) => (steps.length > 1 ? steps.at(-1) : undefined));
  const all = last.filter((one) => one?.kind === 'Comparison' && one.operator === '=') as ComparisonNode[];
  const fields = new Set(all.map(({ field }) => field.name));
  const isDefault = clauses.length > 1 && clauses.at(-1)!.steps.slice(0, 1).every(keepsAll);
  if (!isDefault || all.length < clauses.length || fields.size > 1) return [];
  return all.map(({ field, value, span }) => {
    const message = `This compares "${field.name}", and sets no field.`;
    return warning('compared-clause', span, message, `${print(field)} := ${textIn(value.span)}`);
  });
}

/** `now() - 1h`, `@timestamp > -1h`, `n%3` */
function calculatedField(node: ExpressionNode): Finding | undefined {
  if (node.kind === 'Bareword' && /^[A-Za-z_][\w.]*%\w+$/.test(node.text)) {
    const message = `"${node.text}" is the name of a field in an expression.`;
    return warning('percent-sign', node.span, message, node.text.replace('%', ' % '));
  }
  const isPast = node.kind === 'Unary' && node.operator === '-';
  const value = isPast ? node.operand : node;
  const ms =
    value.kind === 'Bareword' && /^\d+[a-z]+$/.test(value.text) ? readDuration(value.text) : undefined;
  if (ms === undefined || value.kind !== 'Bareword') return undefined;
  const message = `"${value.text}" is the name of a field in an expression. Durations are in milliseconds.`;
  return warning('duration-field', node.span, message, isPast ? `now() - ${ms}` : String(ms));
}

/** `[max(a), max(b)]`, which both write `_max`. Equal calls have equal values. */
function repeatedOutputs(elements: readonly ValueNode[]): readonly Finding[] {
  const calls = new Map<string, string>();
  return elements.flatMap((call) => {
    const output = SINGLE_OUTPUTS[nameOf(call) ?? ''];
    if (call.kind !== 'Call' || output === undefined || valuesOf(call, 'as').length > 0) return [];
    const text = print(call);
    const earlier = calls.get(output) ?? text;
    calls.set(output, earlier);
    if (earlier === text) return [];
    const name = [output.slice(1), textArgument(call, 'field')].filter(Boolean).join('_');
    const as = calls.has(name) ? `${name}_${calls.size}` : name;
    calls.set(as, text);
    const message = `${earlier} also writes "${output}": the service fails if the values differ.`;
    return [warning('repeated-output', call.span, message, named(text, quoteField(as)))];
  });
}

/** The most pipes of a query for Next-Gen SIEM. */
const MAX_PIPES = 100;

/** A query that Next-Gen SIEM rejects. */
export function manyPipes({ steps, span }: PipelineNode): Finding | undefined {
  const pipes = steps.length - 1;
  if (pipes <= MAX_PIPES) return undefined;
  const message = `Next-Gen SIEM rejects queries with more than ${MAX_PIPES} pipes, and this one has ${pipes}.`;
  return warning('many-pipes', span, message);
}

/** `array:contains("a", value=b)` */
function bareArrays(call: CallNode, textIn: (span: Span) => string): readonly Finding[] {
  return call.arguments.flatMap((argument) => {
    const { value } = argument;
    const parameter = parameterOf(argument, call);
    const isArray = parameter?.form.kind === 'other' && /^(?:array|asArray)$/.test(parameter.name);
    const text = isArray ? textOf(value) : undefined;
    if (text === undefined || /\[\]$/.test(text)) return [];
    const message = 'The service requires "[]" after the name of an array.';
    return [warning('array-brackets', value.span, message, textIn(value.span).replace(/"?$/, '[]$&'))];
  });
}

/** `x := "{host}-{level}"` */
function placeholders(text: string, span: Span): Finding | undefined {
  const parts = text.split(/\{([A-Za-z_][\w.]*)\}/);
  if (parts.length < 3) return undefined;
  const values = parts.map((part, place) => (place % 2 === 1 ? part : JSON.stringify(part)));
  return warning('placeholders', span, 'Names in braces are text in a string.', formatted(values));
}

/** `in(host, values=[])`, `in(host, values="a,b")` */
function emptyValues(call: CallNode, source: string): Finding | undefined {
  const [values] = valuesOf(call, 'values');
  if (values?.kind === 'String' && /^[^\s,]+(?:, ?[^\s,]+)+$/.test(values.value)) {
    const written = `[${source.slice(values.span.start, values.span.end).replace(/, ?/g, '", "')}]`;
    return warning('empty-values', values.span, 'This is one value with a comma.', written);
  }
  if (values?.kind !== 'Array') return undefined;
  const field = textArgument(call, 'field') ?? 'field';
  for (const value of values.elements) {
    const found = quotedRegex(value, field);
    if (found !== undefined) return found;
  }
  if (values.elements.length > 0) return undefined;
  return warning('empty-values', call.span, 'Without values, in() finds nothing.');
}

/** Parts of patterns of other languages, and how they are written here. */
const TIME_PARTS = /%[YmdHMS]|YYYY|DD|(?<=[Yy]{4}\W?)mm|(?<=HH:?)MM|(?<=HH:?MM:?|mm:)SS/g;
const YEAR = { '%Y': 'yyyy', YYYY: 'yyyy', '%m': 'MM', mm: 'MM', '%d': 'dd', DD: 'dd' };
const TIME: Readonly<Record<string, string>> = {
  ...YEAR,
  '%H': 'HH',
  '%M': 'mm',
  MM: 'mm',
  '%S': 'ss',
  SS: 'ss',
};

/** `parseTimestamp("YYYY-MM-DD")` */
function timePattern(call: CallNode, source: string): Finding | undefined {
  const [format] = valuesOf(call, 'format');
  if (format?.kind !== 'String') return undefined;
  const typed = source.slice(format.span.start, format.span.end);
  const written = typed.replace(TIME_PARTS, (part) => TIME[part]!);
  if (written === typed) return undefined;
  const message =
    'In this pattern, yyyy-MM-dd HH:mm:ss are the parts of a time: other letters mean other parts.';
  return warning('time-pattern', format.span, message, written);
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
function joinedLiteral(call: CallNode, source: string, parent?: QueryNode): Finding | undefined {
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

/** `test(host == "web*")`, `if(host == "web*", then=1, else=2)` */
function starText(call: CallNode, source: string, parent?: QueryNode): Finding | undefined {
  const [condition] = [...valuesOf(call, 'expression'), ...valuesOf(call, 'condition')];
  if (condition?.kind !== 'Binary' || !/^[=!]=$/.test(condition.operator)) return undefined;
  const { left, operator, right } = condition;
  if (left.kind !== 'Bareword' || right.kind !== 'String' || !/\w\*|\*\w/.test(right.value)) return undefined;
  const compared = `${left.text}${operator.replace('==', '=')}${source.slice(right.span.start, right.span.end)}`;
  const filter = operator === '!=' ? `${compared} ${left.text}=*` : compared;
  const isTest = nameOf(call) === 'test';
  const written = isTest ? (parent?.kind === 'Pipeline' ? filter : `(${filter})`) : `{ ${filter} }`;
  const message = 'This is no pattern: in an expression, "*" is a character.';
  return warning('star-text', (isTest ? call : condition).span, message, written);
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
