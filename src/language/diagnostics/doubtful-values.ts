import { SECONDS } from '../../core/epoch.ts';
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
import { readDuration } from '../duration.ts';
import { findSignature } from '../functions/find-function.ts';
import { print } from '../printer.ts';
import { walk } from '../walk.ts';
import { parameterOf, textOf, valuesOf } from './call-arguments.ts';
import { type Finding, warning } from './diagnostic.ts';
import { formatted } from './mistakes/conversions.ts';

/** Finds values that are valid but that surely mean something else. */
export function doubtfulValues(tree: PipelineNode, source: string): readonly Finding[] {
  const findings: (Finding | undefined)[] = [];
  const textIn = ({ start, end }: Span) => source.slice(start, end);
  const seconds = (time: { readonly span: Span }, { span }: { readonly span: Span }) =>
    times.has(textIn(time.span)) ? epochSeconds(textIn(span), span) : undefined;
  const made = new Set<string>();
  const times = new Set(['@timestamp']);
  walk(tree, {
    Pattern: ({ span, quoted }) => void findings.push(quoted ? escapedPath(textIn(span), span) : undefined),
    String: ({ span }) => void findings.push(escapedPath(textIn(span), span)),
    Regex: ({ body, span }) => void findings.push(pathInRegex(body, span)),
    Or: ({ operands, span }) => void findings.push(alwaysTrue(operands, span), lostField(operands, textIn)),
    And: ({ operands }, parent) =>
      void findings.push(parent?.kind === 'Pipeline' ? undefined : neverTrue(operands)),
    Comparison(node) {
      findings.push(
        subnetText(node),
        percentSign(node),
        seconds(node.field, node.value),
        comparedName(node, made, source),
      );
    },
    Match: ({ arms }) =>
      void findings.push(unreachable(arms, ({ guard, pipeline }) => [guard, ...pipeline.steps])),
    Case: ({ clauses }) =>
      void findings.push(
        unreachable(clauses, ({ steps }) => steps),
        ...comparedClauses(clauses, textIn),
        searchedDefault(clauses, textIn),
      ),
    FreeText: ({ span }) => void findings.push(searchedMark(textIn(span), span)),
    Pipeline: (node, parent) =>
      void findings.push(parent === undefined ? manyPipes(node) : undefined, neverTrue(node.steps)),
    Binary: ({ left, right }) =>
      void findings.push(durationField(left), durationField(right), seconds(left, right)),
    Argument({ name, value }) {
      if (name?.name === 'as') made.add(textOf(value) ?? '');
    },
    Assignment({ target, value }) {
      made.add(target.name);
      if (textIn(value.span) === '@timestamp') times.add(target.name);
      findings.push(value.kind === 'String' ? placeholders(value.value, value.span) : undefined);
    },
    Call: (call) =>
      void findings.push(
        emptyValues(call),
        timePattern(call, textIn),
        ...bareArrays(call, textIn),
        ...textsOf(call, ['regex'], pathInRegex),
        ...textsOf(call, ['start', 'end'], epochSeconds),
      ),
  });
  return findings.filter((one) => one !== undefined);
}

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
  const message = `"${found?.replace(/^\\\\/g, '')}" is not a folder in a regular expression: write each backslash of a path as \\\\.`;
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
  for (const one of steps.flatMap((step): readonly StepNode[] =>
    step.kind === 'And' ? step.operands : [step],
  )) {
    if (one.kind === 'FreeText' && one.value.kind === 'Pattern') continue;
    if (one.kind !== 'Comparison' || one.value.kind === 'Regex' || one.value.kind === 'Call') before = [];
    else {
      const other = before.find((earlier) => excludes(earlier, one) || excludes(one, earlier));
      const message = `No event has both ${other && print(other)} and ${print(one)}. Write "or" between them, or leave one out.`;
      if (other !== undefined) return warning('never-true', one.span, message);
      before.push(one);
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
  return value.kind === 'Pattern' || value.kind === 'Number' ? Number(value.text) : Number.NaN;
}

function plainValue({ value }: ComparisonNode): string {
  return value.kind === 'Pattern' ? value.text : '*';
}

/** `x := a | y := b | x=y` */
function comparedName(node: ComparisonNode, made: ReadonlySet<string>, source: string): Finding | undefined {
  const { field, operator, value, span } = node;
  const text = value.kind === 'Pattern' && !value.quoted ? value.text : '';
  const isField = made.has(text) && made.has(field.name) && !source.includes(`"${text}"`);
  if (!isField || !/^!?=$/.test(operator)) return undefined;
  const written = `test(${print(field)} ${operator.replace(/^=/, '==')} ${text})`;
  return warning('compared-field', span, `"${text}" is a string here, not the field.`, written);
}

/** `file="a.exe" or "b.exe"`. With other endings, the words may be meant. */
function lostField(operands: readonly FilterNode[], textIn: (span: Span) => string): Finding | undefined {
  const [first, ...others] = operands;
  if (first?.kind !== 'Comparison' || first.operator !== '=' || first.value.kind !== 'Pattern')
    return undefined;
  const texts = others.map((one) =>
    one.kind === 'FreeText' && one.value.kind === 'Pattern' ? one.value.text : '',
  );
  const [ending = ' '] = /\.\w{2,4}$/.exec(first.value.text) ?? [];
  const isCertain = texts.every((text) => text.endsWith(ending));
  const areWords = !texts.includes('') && others.every(({ span }) => /^\w+$/.test(textIn(span)));
  if (!isCertain && !areWords) return undefined;
  const span = { start: first.span.start, end: operands.at(-1)!.span.end };
  const values = [first.value, ...others].map((one) => textIn(one.span)).join(', ');
  const written = `in(${textIn(first.field.span)}, values=[${values}])`;
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

/** `a=1 , b=2` */
function searchedMark(mark: string, span: Span): Finding | undefined {
  const message = `"${mark}" is searched for here. To start a step, write "|".`;
  return /^[:,;|>]+$/.test(mark) ? warning('searched-mark', span, message) : undefined;
}

/** `case { a=1 | b:=c; default }` */
function searchedDefault(
  clauses: readonly PipelineNode[],
  textIn: (span: Span) => string,
): Finding | undefined {
  const [first] = clauses.at(-1)?.steps ?? [];
  const span = (first?.kind === 'And' ? first.operands[0] : first)?.span;
  const word = span && textIn(span);
  if (!word || !/^(?:default|else|otherwise):?$/i.test(word)) return undefined;
  return warning('searched-mark', span, `"${word}" is searched for here. To keep all others, write *.`);
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

/** `now() - 1h`, `@timestamp > -1h` */
function durationField(node: ExpressionNode): Finding | undefined {
  const isPast = node.kind === 'Unary' && node.operator === '-';
  const value = isPast ? node.operand : node;
  const ms =
    value.kind === 'Bareword' && /^\d+[a-z]+$/.test(value.text) ? readDuration(value.text) : undefined;
  if (ms === undefined || value.kind !== 'Bareword') return undefined;
  const message = `"${value.text}" is the name of a field in an expression. Durations are in milliseconds.`;
  return warning('duration-field', node.span, message, isPast ? `now() - ${ms}` : String(ms));
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
  const values = parts
    .map((part, place) => (place % 2 === 1 ? part : JSON.stringify(part)))
    .filter((one) => one !== '""');
  return warning('placeholders', span, 'Names in braces are text in a string.', formatted(values));
}

/** `in(host, values=[])`, `in(host, values="a,b")` */
function emptyValues(call: CallNode): Finding | undefined {
  const [values] = findSignature(call.name)?.name === 'in' ? valuesOf(call, 'values') : [];
  if (values?.kind === 'String' && /^[^\s,]+(?:, ?[^\s,]+)+$/.test(values.value)) {
    const written = `[${values.value
      .split(/, ?/)
      .map((one) => JSON.stringify(one))
      .join(', ')}]`;
    return warning('empty-values', values.span, 'This is one value with a comma.', written);
  }
  if (values?.kind !== 'Array' || values.elements.length > 0) return undefined;
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
function timePattern(call: CallNode, textIn: (span: Span) => string): Finding | undefined {
  const [format] = findSignature(call.name)?.name === 'parseTimestamp' ? valuesOf(call, 'format') : [];
  if (format?.kind !== 'String') return undefined;
  const typed = textIn(format.span);
  const written = typed.replace(TIME_PARTS, (part) => TIME[part]!);
  if (written === typed) return undefined;
  const message =
    'In this pattern, yyyy-MM-dd HH:mm:ss are the parts of a time: other letters mean other parts.';
  return warning('time-pattern', format.span, message, written);
}
