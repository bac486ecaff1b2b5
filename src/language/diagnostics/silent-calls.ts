import { quoteField } from '../../core/query-text.ts';
import type { CallNode, QueryNode, Span } from '../ast.ts';
import { isNumberText } from '../character-classes.ts';
import { SINGLE_OUTPUTS } from '../functions/outputs.ts';
import { print } from '../printer.ts';
import { textAt } from '../source.ts';
import {
  elementsOf,
  nameOf,
  parameterOf,
  textArgument,
  textOf,
  type ValueNode,
  valuesOf,
} from './call-arguments.ts';
import { error, type Finding, findIn, warning } from './diagnostic.ts';
import { formatted, named } from './mistakes/conversions.ts';
import { known } from './mistakes/times.ts';
import { quotedRegex, subnetText } from './silent-filters.ts';

type CallCheck = (call: CallNode, source: string, parent: QueryNode | undefined) => Finding | undefined;

export const CALLS: Readonly<Record<string, CallCheck>> = {
  concat: joinedLiteral,
  correlate: wrongLink,
  count: countedStar,
  format: (call, source) => invalidFormat(call) ?? formatFields(call, source),
  formatTime: constantTime,
  if: starText,
  in: emptyValues,
  parseTimestamp: timePattern,
  test: starText,
};

type TextCheck = (text: string, span: Span) => Finding | undefined;

export function textsOf(call: CallNode, names: readonly string[], find: TextCheck) {
  const values = names.flatMap((name) => valuesOf(call, name));
  return values.map((value) => find(textOf(value) ?? '', value.span));
}

/** `math:abs(-5)`, `drop("User*")`, `min(_time)`: such a value is the name of one field. */
export function wrongNames(call: CallNode, made: ReadonlySet<string>): readonly (Finding | undefined)[] {
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

/** `[max(a), max(b)]`, which both write `_max`, also at the end of braces. Equal calls have equal values. */
export function repeatedOutputs(elements: readonly ValueNode[]): readonly Finding[] {
  const calls = new Map<string, string>();
  return elements.flatMap((element) => {
    const call = element.kind === 'Subquery' ? element.pipeline.steps.at(-1)! : element;
    const own = SINGLE_OUTPUTS[nameOf(call) ?? ''];
    if (call.kind !== 'Call' || own === undefined) return [];
    const output = textArgument(call, 'as') ?? own;
    const text = print(element);
    const earlier = calls.get(output) ?? text;
    calls.set(output, earlier);
    if (earlier === text) return [];
    const name = [own.slice(1), textArgument(call, 'field')].filter(Boolean).join('_');
    const free = calls.has(name) ? `${name}_${calls.size}` : name;
    calls.set(free, text);
    const message = `${earlier} also writes "${output}": the service fails if the values differ.`;
    const written = output === own ? named(print(call), quoteField(free)) : undefined;
    return [warning('repeated-output', call.span, message, written)];
  });
}

/** `array:contains("a", value=b)` */
export function bareArrays(call: CallNode, source: string): readonly Finding[] {
  return call.arguments.flatMap((argument) => {
    const { value } = argument;
    const parameter = parameterOf(argument, call);
    const isArray = parameter?.form.kind === 'other' && /^(?:array|asArray)$/.test(parameter.name);
    const text = isArray ? textOf(value) : undefined;
    if (text === undefined || /\[\]$/.test(text)) return [];
    const message = 'The service requires "[]" after the name of an array.';
    const written = text.includes('[]') ? undefined : textAt(source, value.span).replace(/"?$/, '[]$&');
    return [warning('array-brackets', value.span, message, written)];
  });
}

/** `in(host, values=[])`, `in(host, values="a,b")` */
function emptyValues(call: CallNode, source: string): Finding | undefined {
  const [values] = valuesOf(call, 'values');
  if (values?.kind === 'String' && /^[^\s,]+(?:, ?[^\s,]+)+$/.test(values.value)) {
    const written = `[${textAt(source, values.span).replace(/, ?/g, '", "')}]`;
    return warning('empty-values', values.span, 'This is one value with a comma.', written);
  }
  if (values?.kind !== 'Array') return undefined;
  const field = textArgument(call, 'field') ?? 'field';
  for (const value of values.elements) {
    const found = quotedRegex(value, field);
    if (found !== undefined) return found;
  }
  if (values.elements.length > 0) return subnetText(values.elements, field, call.span);
  return warning('empty-values', call.span, 'Without values, in() finds nothing.');
}

/** Parts of patterns of other languages, and how they are written here. */
const TIME_PARTS = /%[YmdHMS]|YYYY|DD|(?<=[Yy]{4}\W?)mm|(?<=HH:?)MM|(?<=HH:?MM:?|mm:)SS/g;
const TIME = new Map(
  '%Y=yyyy YYYY=yyyy %m=MM mm=MM %d=dd DD=dd %H=HH %M=mm MM=mm %S=ss SS=ss'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

/** `parseTimestamp("YYYY-MM-DD")` */
function timePattern(call: CallNode, source: string): Finding | undefined {
  const [format] = valuesOf(call, 'format');
  if (format?.kind !== 'String') return undefined;
  const typed = textAt(source, format.span);
  const written = typed.replace(TIME_PARTS, (part) => TIME.get(part)!);
  if (written === typed) return undefined;
  const message =
    'In this pattern, yyyy-MM-dd HH:mm:ss are the parts of a time: other letters mean other parts.';
  return warning('time-pattern', format.span, message, written);
}

/** `count(*)` and `count(1)` of SQL. */
function countedStar({ arguments: [star, next], span }: CallNode, source: string): Finding | undefined {
  if (star === undefined || star.name !== undefined || !/^[*1]$/.test(textOf(star.value) ?? ''))
    return undefined;
  const written = textAt(source, star.span);
  const message = `count(${written}) counts the events that have a field "${written}".`;
  return {
    ...warning('sql-count-star', span, message),
    propose: (text) => `To count all events, write count(${text}).`,
    fix: { span: { start: star.span.start, end: next?.span.start ?? star.span.end }, text: '' },
  };
}

/** `correlate(a: { … }, b: { user <=> c.user })`, `b: { user=a.user }` */
function wrongLink(call: CallNode): Finding | undefined {
  const queries = valuesOf(call, 'queries').map((one) => `${one.kind === 'Subquery' && one.name}.`);
  const isKnown = (name: string) => queries.some((one) => name.startsWith(one));
  const [found] = findIn(call, {
    Comparison({ field, operator, value, span }) {
      if (operator === '=' && value.kind === 'Pattern' && !value.quoted && isKnown(value.text)) {
        const message = `"${value.text}" is a string here, not the field.`;
        return warning('compared-field', span, message, `${print(field)} <=> ${value.text}`);
      }
      if (operator !== '<=>' || value.kind !== 'Field' || isKnown(value.name)) return undefined;
      return error('unknown-query', value.span, `correlate() has no query for the field "${value.name}".`);
    },
  });
  return found;
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

/** `test(host == "web*")`, `if(host == "web*", then=1, else=2)`, `test(user == null)`, `test(user != *)` */
function starText(call: CallNode, source: string, parent?: QueryNode): Finding | undefined {
  const [condition] = [...valuesOf(call, 'expression'), ...valuesOf(call, 'condition')];
  if (condition?.kind !== 'Binary' || !/^[=!]=$/.test(condition.operator)) return undefined;
  const { left, operator, right } = condition;
  const [word] = /^(?:null|\*)$/i.exec(right.kind === 'Bareword' ? right.text : '') ?? [];
  const isPattern = right.kind === 'String' && /[\w\\]\*|\*[\w.\\]/.test(right.value);
  if (left.kind !== 'Bareword' || !(word || isPattern)) return undefined;
  const isEqual = (operator === '==') !== (word?.length === 4);
  const compared = `${left.text}${isEqual ? '=' : '!='}${word ? '*' : textAt(source, right.span)}`;
  const filter = isEqual || word ? compared : `${compared} ${left.text}=*`;
  const isTest = nameOf(call) === 'test';
  const written = isTest ? (parent?.kind === 'Pipeline' ? filter : `(${filter})`) : `{ ${filter} }`;
  const message = 'In an expression, "*" is a character and a word is a field.';
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
    const written = textAt(source, format!.span).replaceAll('{}', '%s');
    return warning('format-fields', format!.span, '"{}" is text in a format.', written);
  }
  const message = `The format has ${places.length} values, and "field" has ${fields}: the others are "null".`;
  return places.length > fields ? warning('format-fields', call.span, message) : undefined;
}

/** Fields and strings as a call of `format()`; `undefined` for other values. */
export function formatOf(values: readonly ValueNode[], source: string): string | undefined {
  const isPlain = values.every(({ kind }) => kind === 'Bareword' || kind === 'String');
  return isPlain ? formatted(values.map(({ span }) => textAt(source, span))) : undefined;
}
