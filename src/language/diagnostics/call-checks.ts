import { UNIT_SPELLINGS } from '../../core/duration.ts';
import { nearestName } from '../../core/nearest-name.ts';
import type { ArgumentNode, CallNode } from '../ast.ts';
import { isNumberText } from '../character-classes.ts';
import { isFunctionName } from '../function-names.ts';
import {
  findSignature,
  missingFunctionProblem,
  nearestFunction,
  unnamedParameter,
} from '../functions/find-function.ts';
import type { FunctionSignature, ParameterSignature } from '../functions/signature.ts';
import { textAt } from '../source.ts';
import {
  elementsOf,
  fitsParameter,
  hasParameter,
  parameterOf,
  textOf,
  type ValueNode,
  valuesOf,
} from './call-arguments.ts';
import { error, type Finding, type TextEdit } from './diagnostic.ts';
import { replaceOutside } from './masked-text.ts';

/** The parameters that the context of a call can set, and how. */
const SHORTHANDS: Readonly<Record<string, string>> = { as: ':=', field: '=~' };

/**
 * Checks the name and the arguments of a call against the signature of the function.
 *
 * @param presets parameters that the context of the call sets.
 */
export function checkCall(call: CallNode, presets: readonly string[], source: string): readonly Finding[] {
  const signature = findSignature(call.name);
  if (signature === undefined) return [missingFunction(call)];
  const unknown = presets.find((name) => !hasParameter(call, name));
  if (unknown !== undefined) {
    const message = `${signature.name}() has no parameter "${unknown}", so ${SHORTHANDS[unknown]} can't be used with it.`;
    return [error('unknown-parameter', call.nameSpan, message)];
  }
  const given = new Map<string, ArgumentNode | undefined>(presets.map((name) => [name, undefined]));
  const findings = call.arguments.flatMap(
    (argument) => checkArgument({ argument, call, signature, source, given }) ?? [],
  );
  // Each value too many has the same problem.
  const isFirst = ({ message }: Finding, place: number) =>
    findings.findIndex((one) => one.message === message) === place;
  if (findings.length > 0) return findings.filter(isFirst);
  const missing = signature.parameters.find(
    ({ name, isRequired }) => isRequired === true && !given.has(name),
  );
  if (missing === undefined) return [];
  const message = `${signature.name}() needs the parameter "${missing.name}": ${missing.expects}.`;
  return [error('missing-parameter', call.span, message)];
}

function missingFunction(call: CallNode): Finding {
  const { name, nameSpan } = call;
  const message = missingFunctionProblem(call).replace(/[^.?]$/, '$&.');
  const isOfService = isFunctionName(name);
  const meant = isOfService ? undefined : nearestFunction(name);
  const [, distinct] = /Write (count\(.*\))\.$/.exec(message) ?? [];
  return {
    code: isOfService ? 'unsupported-function' : 'unknown-function',
    severity: isOfService ? 'warning' : 'error',
    message,
    span: nameSpan,
    fix: distinct ? { span: call.span, text: distinct } : meant ? { span: nameSpan, text: meant } : undefined,
  };
}

interface ArgumentPlace {
  readonly argument: ArgumentNode;
  readonly call: CallNode;
  readonly signature: FunctionSignature;
  readonly source: string;
  /** The parameters set so far. */
  readonly given: Map<string, ArgumentNode | undefined>;
}

function checkArgument(place: ArgumentPlace): Finding | undefined {
  const { argument, call, signature, given } = place;
  const { name } = argument;
  const parameter = parameterOf(argument, call);
  if (parameter === undefined && name === undefined) return unexpectedValue(place);
  if (parameter === undefined) return signature.anyName === undefined ? unknownParameter(place) : undefined;
  const earlier = given.get(parameter.name);
  // `groupBy(a, b)` and `stats(count(), max(x))`: several unnamed arguments are one array.
  const isJoinable = parameter.isList === true || parameter.form.kind === 'aggregate';
  const isJoined = isJoinable && name === undefined && earlier !== undefined && earlier.name === undefined;
  if (given.has(parameter.name) && !isJoined) {
    const others = signature.parameters.flatMap((one) => (given.has(one.name) ? [] : `${one.name}=…`));
    const isUnnamed = name === undefined || (earlier && earlier.name === undefined);
    const names = isUnnamed ? others.slice(0, 3).join(', ') : '';
    const hint = names && `; name the other arguments: ${names}`;
    const message = `${signature.name}() has "${parameter.name}" twice${name && names ? ', once without the name' : ''}${hint}.`;
    const fix = name === undefined ? namedFix(place, parameter, earlier) : undefined;
    return { ...error('repeated-parameter', argument.span, message), fix };
  }
  given.set(parameter.name, argument);
  return checkValue(parameter, place);
}

/** `in(status, [1, 2])`: the name of the next required parameter. In `default(user, "none")`, that is the first value. */
function namedFix(
  { argument, signature, given, source }: ArgumentPlace,
  { name }: ParameterSignature,
  earlier?: ArgumentNode,
): TextEdit | undefined {
  const meant = signature.parameters.find((one) => one.isRequired === true && !given.has(one.name));
  const isValue = argument.value.kind === 'String' || isNumberText(textOf(argument.value) ?? '');
  if (
    isValue &&
    meant?.name === 'field' &&
    earlier?.value.kind === 'Bareword' &&
    earlier.name === undefined
  ) {
    const text = `${name}=${textAt(source, argument.span)}, field=${textAt(source, earlier.span)}`;
    return { span: { start: earlier.span.start, end: argument.span.end }, text };
  }
  if (meant === undefined || !fitsParameter(meant, argument.value)) return undefined;
  const { start } = argument.span;
  return { span: { start, end: start }, text: `${meant.name}=` };
}

function unexpectedValue({ argument, signature }: ArgumentPlace): Finding {
  const known = signature.parameters.map(({ name }) => name);
  const hint =
    signature.anyName !== undefined
      ? 'expects arguments of the form name=value'
      : known.length === 0
        ? 'accepts no arguments'
        : `accepts no unnamed argument, only ${known.join(', ')}`;
  return error('unexpected-argument', argument.span, `${signature.name}() ${hint}.`);
}

function unknownParameter(place: ArgumentPlace): Finding {
  const { argument, signature } = place;
  const { name: written, span } = argument.name!;
  const meant = comparisonFix(place);
  const known = signature.parameters.map(({ name }) => name);
  const nearest = meant === undefined ? nearestName(written, known) : undefined;
  const fix = meant ?? (nearest === undefined ? undefined : { span, text: nearest });
  const hint =
    nearest !== undefined
      ? `. Did you mean "${nearest}"?`
      : `${known.length === 0 ? ': it accepts no arguments' : `, only ${known.join(', ')}`}.`;
  const message = `${signature.name}() has no parameter "${written}"${hint}`;
  const propose = meant && ((text: string) => `Write ${text}.`);
  return { ...error('unknown-parameter', span, message), fix, propose };
}

/** The fix for `a=b` as the first argument of a function that expects a filter or an expression. */
function comparisonFix({ argument, call, signature, source }: ArgumentPlace): TextEdit | undefined {
  const unnamed = unnamedParameter(signature);
  const isGiven = call.arguments.some((one) => one.name === undefined || one.name.name === unnamed?.name);
  if (unnamed === undefined || isGiven || argument !== call.arguments[0]) return undefined;
  const { span, value, name } = argument;
  const { kind } = unnamed.form;
  const isPattern = textAt(source, value.span).includes('*');
  if (kind === 'filter' || kind === 'query' || (kind === 'expression' && isPattern && value.kind !== 'Regex'))
    return { span, text: `{ ${textAt(source, span)} }` };
  if (kind !== 'expression') return undefined;
  if (value.kind === 'Regex') {
    const flags = value.flags === '' ? '' : `, flags=${value.flags}`;
    return { span, text: `regex("${value.body.replaceAll('"', '\\"')}", field=${name?.name}${flags})` };
  }
  return { span, text: `${textAt(source, name!.span)} == ${textAt(source, value.span)}` };
}

function checkValue(parameter: ParameterSignature, place: ArgumentPlace): Finding | undefined {
  const { value } = place.argument;
  const { source, signature } = place;
  const isAggregate = ({ name }: CallNode) => (findSignature(name)?.kind ?? 'aggregate') === 'aggregate';
  const wrongCall = elementsOf(parameter.form.kind === 'aggregate' ? [value] : [])
    .map((one) => (one.kind === 'Assignment' ? one.value : one))
    .find((one) => one.kind === 'Call' && !isAggregate(one)) as CallNode | undefined;
  if (wrongCall !== undefined) {
    const message = `${wrongCall.name}() is not an aggregate function: put it before the aggregate, or together with one in { … }.`;
    return error('not-an-aggregate', wrongCall.nameSpan, message);
  }
  if (fitsParameter(parameter, value))
    return parameter.name === 'subnet' ? wrongSubnet(place.argument) : undefined;
  // `groupBy(host, count(), sum(bytes))`
  const isOne = (one: ValueNode) => one.kind === 'Call' && isAggregate(one);
  const calls = place.call.arguments.filter(
    (one) => !one.name && !fitsParameter(parameter, one.value) && elementsOf([one.value]).every(isOne),
  );
  const index = calls.indexOf(place.argument);
  if (index > 0) return undefined;
  const last = index < 0 ? value : calls.at(-1)!;
  const span = { start: value.span.start, end: last.span.end };
  const text = textAt(source, span);
  const meant = signature.parameters.find(
    ({ form, name }) => form.kind === 'aggregate' && valuesOf(place.call, name).length === 0,
  );
  const message = `"${parameter.name}" of ${signature.name}() must be ${parameter.expects} (got ${text}).`;
  return {
    ...error('wrong-type', span, message),
    propose: (written) => `Write ${written}.`,
    words: value.kind === 'Binary' ? 'Write field := a + b before it.' : undefined,
    fix:
      index === 0 && meant
        ? { span, text: `${meant.name}=${calls.length > 1 ? `[${text}]` : text}` }
        : valueFix(parameter, value, text),
  };
}

const SUBNET = /^(?:\d{1,3}(?:\.\d{1,3}){0,3}|[\da-f]*:[\da-f:.]*)(?:\/\d{1,3})?$/i;

function wrongSubnet({ value, span }: ArgumentNode): Finding | undefined {
  const text = elementsOf([value])
    .map(textOf)
    .find((one) => one !== undefined && !SUBNET.test(one));
  if (text === undefined) return undefined;
  const message = `${JSON.stringify(text)} is not a subnet such as "10.0.0.0/8" or "fd00::/8".`;
  return error('wrong-type', span, message);
}

/** The probable meaning of a value of the wrong type. */
function valueFix({ form }: ParameterSignature, value: ValueNode, text: string): TextEdit | undefined {
  const { span } = value;
  const word = textOf(value);
  switch (form.kind) {
    case 'aggregate':
      return word !== undefined && findSignature(word)?.kind === 'aggregate'
        ? { span, text: `${word}()` }
        : undefined;
    case 'filter':
    case 'query':
    case 'steps':
      return value.kind === 'Binary'
        ? { span, text: `{ ${replaceOutside(text, /==/g, () => '=')} }` }
        : undefined;
    case 'flag':
      return word !== undefined && /^(?:yes|no|0|1|on|off)$/i.test(word)
        ? { span, text: String(/^(?:yes|1|on)$/i.test(word)) }
        : undefined;
    case 'choice': {
      const nearest = nearestWord(word, form.choices);
      return nearest === undefined ? undefined : { span, text: nearest };
    }
    case 'duration':
    case 'span': {
      const [, count = '', unit = ''] = /^(\d+) *([a-z]+)$/i.exec(word ?? '') ?? [];
      const nearest = unit === 'mo' ? 'mon' : nearestWord(unit, [...UNIT_SPELLINGS.keys()]);
      return count === '' || nearest === undefined ? undefined : { span, text: `${count}${nearest}` };
    }
    case 'number':
    case 'regexFlags':
    case 'expression':
    case 'field':
      return undefined;
    default:
      return quotedText(value, text);
  }
}

/** A few edits turn any short word into another. */
function nearestWord(word = '', words: readonly string[]): string | undefined {
  return word.length < 3 ? undefined : nearestName(word, words, word.length < 6 ? 1 : 2);
}

/** Without quotes, `10.0.0.0/8` is a division. A comparison, such as `.user == null`, is no name. */
function quotedText(value: ValueNode, text: string): TextEdit | undefined {
  if (value.kind === 'Binary' && !/["=<>]/.test(text)) return { span: value.span, text: `"${text}"` };
  if (value.kind !== 'Array' || !value.elements.some(({ kind }) => kind === 'Binary')) return undefined;
  const offset = value.span.start;
  const quoted = value.elements.map((element) => {
    const one = text.slice(element.span.start - offset, element.span.end - offset);
    return element.kind === 'Binary' ? `"${one}"` : one;
  });
  return { span: value.span, text: `[${quoted.join(', ')}]` };
}
