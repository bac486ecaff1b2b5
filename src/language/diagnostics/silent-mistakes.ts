import { readDuration } from '../../core/duration.ts';
import { SECONDS } from '../../core/epoch.ts';
import type {
  BarewordNode,
  ComparisonNode,
  ExpressionNode,
  PipelineNode,
  QueryNode,
  Span,
  StepNode,
} from '../ast.ts';
import { isNumberText } from '../character-classes.ts';
import { chainOf, conjunctsOf } from '../operator-chain.ts';
import { print } from '../printer.ts';
import { textAt } from '../source.ts';
import { nameOf, textOf } from './call-arguments.ts';
import { type Finding, findIn, warning } from './diagnostic.ts';
import { formatted } from './mistakes/conversions.ts';
import { lostOrders } from './row-order.ts';
import { bareArrays, CALLS, formatOf, repeatedOutputs, textsOf, wrongNames } from './silent-calls.ts';
import { alwaysTrue, COMPARISONS, lostField, neverTrue, pipedValues } from './silent-filters.ts';
import { fieldWord } from './source-checks.ts';

/** Finds valid parts of a query that give an empty or a wrong result, or that surely mean something else. */
export function silentMistakes(tree: PipelineNode, source: string): readonly Finding[] {
  const seconds = (time: { readonly span: Span }, { span }: { readonly span: Span }) =>
    times.has(textAt(source, time.span)) ? epochSeconds(textAt(source, span), span) : undefined;
  const made = new Set<string>();
  const times = new Set(['@timestamp']);
  let sumEnd = -1;
  const found = findIn(tree, {
    Pattern: ({ span, quoted }) => (quoted ? escapedPath(textAt(source, span), span) : undefined),
    String: ({ span }) => escapedPath(textAt(source, span), span),
    Regex: ({ body, span }) => pathInRegex(body, span),
    Or: ({ operands, span }) => [alwaysTrue(operands, span), lostField(operands, source)],
    And: ({ operands }, parent) => (parent?.kind === 'Pipeline' ? undefined : neverTrue(operands)),
    Comparison: (node) => [
      seconds(node.field, node.value),
      ...COMPARISONS.map((find) => find(node, source, made)),
    ],
    Match: ({ arms }) => unreachable(arms, ({ guard, pipeline }) => [guard, ...pipeline.steps]),
    Case: ({ clauses }) => caseMistakes(clauses, source),
    FreeText: (node) =>
      searchedMark(
        node,
        /^(?:[:,;|>]+|[-+/%])$/,
        'start a step, write "|"; to calculate, write test(a + b > 5)',
        source,
      ),
    Array: ({ elements }) => repeatedOutputs(elements),
    Bareword: (node) => valueWord(node, made, source),
    Pipeline: (node) => [neverTrue(node.steps), ...pipedValues(node, source), ...colonsIn(node, source)],
    Binary(node) {
      const { left, right } = node;
      const sum = left.span.start < sumEnd ? undefined : textSum(node, source);
      if (sum !== undefined) sumEnd = sum.span.end;
      return [sum, calculatedField(left), calculatedField(right), seconds(left, right)];
    },
    Argument({ name, value }) {
      if (name?.name === 'as') made.add(textOf(value) ?? '');
      return undefined;
    },
    Assignment({ target, value }) {
      made.add(target.name);
      if (textAt(source, value.span) === '@timestamp') times.add(target.name);
      return value.kind === 'String' ? placeholders(value.value, value.span) : calculatedField(value);
    },
    Call: (call, parent) => [
      CALLS[nameOf(call) ?? '']?.(call, source, parent),
      ...bareArrays(call, source),
      ...wrongNames(call, made),
      ...textsOf(call, ['regex'], pathInRegex),
      ...textsOf(call, ['start', 'end'], epochSeconds),
    ],
  });
  return [...lostOrders(tree), ...[manyPipes(tree) ?? []].flat(), ...found];
}

/** `case { *; a=1 }`, `case { a=1 | x="a"; * | x="b" }` and `case { a=1; default }` */
function caseMistakes(clauses: readonly PipelineNode[], source: string) {
  const [word] = clauses.at(-1)?.steps.flatMap(conjunctsOf) ?? [];
  return [
    unreachable(clauses, ({ steps }) => steps),
    ...comparedClauses(clauses, source),
    searchedMark(word, /^(?:default|else|otherwise):?$/i, 'keep all others, write *', source),
  ];
}

/** `case { a=1; default }` and `a=1 : b=2` */
function searchedMark(
  node: StepNode | undefined,
  pattern: RegExp,
  toWrite: string,
  source: string,
): Finding | undefined {
  const word = node && textAt(source, node.span);
  if (!word || !pattern.test(word)) return undefined;
  return warning('searched-mark', node.span, `"${word}" is searched for here. To ${toWrite}.`);
}

/** `case { a=1: x := 2 }` */
function colonsIn({ steps }: PipelineNode, source: string): readonly Finding[] {
  return steps.flatMap(({ kind, span: { start: end } }, place) => {
    const before = source.slice(steps[place - 1]?.span.start ?? end, end);
    const [colon] = (kind === 'Assignment' && /(?<!\b(?:default|else|otherwise))\s*:\s+$/.exec(before)) || [];
    const span = { start: end - (colon?.length ?? 0), end };
    return colon ? [warning('searched-mark', span, '":" starts no step.', ' | ')] : [];
  });
}

const BACKSLASH = String.raw`(?<!\\)(?:\\\\)*\\`;
/** Names in paths that start with the letter of an escape, and that are no words without it. */
const NAMES = '(?:te?mp|tools|tasklist|new\\d*|net1?|notepad|roaming|rundll32)(?![a-z])';
const FOLDERS = new RegExp(
  `${BACKSLASH}(?:(?:Windows|System32|SysWOW64|Users|Program ?Files|ProgramData|AppData|Desktop|Temp|cmd)(?![a-z])|${NAMES})`,
);
const ESCAPED = new RegExp(`${BACKSLASH}([tnr])[a-z\\d]`);
/** The start of a path, or a folder or file in it. */
const PATH = new RegExp(
  `^"(?:\\*|[A-Za-z]:|%\\w+%)\\\\|${BACKSLASH}(?:${NAMES}|[A-Z][a-z]{2}|[tnr][\\w-]+(?:\\.(?:exe|dll|dit|ps1)|\\\\[^tnr"\\\\]))`,
);

/** `"*\temp\*"`, in which `\t` is a tab. */
function escapedPath(text: string, span: Span): Finding | undefined {
  const [found, mark = ''] = ESCAPED.exec(text) ?? [];
  if (found === undefined || !PATH.test(text)) return undefined;
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
function comparedClauses(clauses: readonly PipelineNode[], source: string): readonly Finding[] {
  const last = clauses.map(({ steps }) => (steps.length > 1 ? steps.at(-1) : undefined));
  const all = last.filter((one) => one?.kind === 'Comparison' && one.operator === '=') as ComparisonNode[];
  const fields = new Set(all.map(({ field }) => field.name));
  const isDefault = clauses.length > 1 && clauses.at(-1)!.steps.slice(0, 1).every(keepsAll);
  if (!isDefault || all.length < clauses.length || fields.size > 1) return [];
  return all.map(({ field, value, span }) => {
    const message = `This compares "${field.name}", and sets no field.`;
    return warning('compared-clause', span, message, `${print(field)} := ${textAt(source, value.span)}`);
  });
}

/** `now() - 1h`, `@timestamp > -1h`, `n%3` */
function calculatedField(node: ExpressionNode): Finding | undefined {
  if (node.kind === 'Bareword' && /^[A-Za-z_][\w.]*%\w+$/.test(node.text))
    return fieldWord(node, 'percent-sign', node.text.replace('%', ' % '));
  const isPast = node.kind === 'Unary' && node.operator === '-';
  const value = isPast ? node.operand : node;
  const ms =
    value.kind === 'Bareword' && /^\d+[a-z]+$/.test(value.text) ? readDuration(value.text) : undefined;
  if (ms === undefined || value.kind !== 'Bareword') return undefined;
  const message = `"${value.text}" is the name of a field in an expression. Durations are in milliseconds.`;
  return warning('duration-field', node.span, message, isPast ? `now() - ${ms}` : String(ms));
}

/** A value that probably lacks its quotes, with what is before and after it. */
const VALUE_WORD =
  /(?:[:=!]=|then=|else=)\s*(?:critical|high|medium|low|ok|bad|none|unknown|benign|malicious|suspicious|success|failure|failed|allow(?:ed)?|den(?:y|ied)|blocked|[\w.-]+\.(?:exe|dll|ps1|bat|vbs))(?!\s*[-+*/%=<>]|[\w.])/i;

/** `risk := high`, unless the query reads or writes a field of that name. */
function valueWord(word: BarewordNode, made: ReadonlySet<string>, source: string): Finding | undefined {
  const { text, span } = word;
  const isValue = VALUE_WORD.test(source.slice(Math.max(0, span.start - 9), span.end + 9));
  const [target] = /[\w.]+\s*:=\s*$/.exec(source.slice(Math.max(0, span.start - 99), span.start)) ?? [];
  // What another assignment to the field shows.
  const isDecision = () =>
    target !== undefined && source.split(target).some((rest) => VALUE_WORD.test(`:=${rest.slice(0, 20)}`));
  if (made.has(text) || !(isValue || isDecision())) return undefined;
  return new RegExp(`(?<!=\\s*)\\b${text}\\b`).test(source) ? undefined : fieldWord(word);
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

/** `x := "{host}-{level}"` */
function placeholders(text: string, span: Span): Finding | undefined {
  const parts = text.split(/\$?\{([A-Za-z_][\w.]*)\}/);
  if (parts.length < 3) return undefined;
  const values = parts.map((part, place) => (place % 2 === 1 ? part : JSON.stringify(part)));
  return warning('placeholders', span, 'Names in braces are text in a string.', formatted(values));
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
