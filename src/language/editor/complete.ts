import { quoteField, quoteString } from '../../core/query-text.ts';
import type { Span } from '../ast.ts';
import { maskText } from '../diagnostics/masked-text.ts';
import type { KnownSource } from '../diagnostics/source-checks.ts';
import { findParameter, findSignature, unnamedParameter } from '../functions/find-function.ts';
import { describeFunction, functionList } from '../functions/function-help.ts';
import type { FunctionKind, FunctionSignature, ParameterSignature } from '../functions/signature.ts';
import { resultFields } from '../result-fields.ts';
import type { Token } from '../token.ts';
import { tolerantTokens } from '../tolerant-tokens.ts';
import { TIME_LETTERS, timeZones } from './argument-values.ts';
import { type CallAround, callIn, openBrackets } from './call-around.ts';
import { describeValue } from './hover.ts';

export type CompletionKind =
  | 'function'
  | 'parameter'
  | 'field'
  | 'value'
  | 'keyword'
  | 'savedQuery'
  | 'file'
  | 'variable';

/** Text to write at a position. */
export interface Completion {
  readonly kind: CompletionKind;
  readonly label: string;
  /** Replaces `span`. */
  readonly insert: string;
  readonly span: Span;
  /** One line, such as the usage of a function. */
  readonly detail?: string;
  /** One sentence. */
  readonly description?: string;
}

type Suggestion = Omit<Completion, 'span'>;

/** A position in a query, and what is before it. */
interface Place {
  readonly query: string;
  /** The word, or the content of the string, before the position. */
  readonly word: Span;
  /** True in a string without its closing quote. */
  readonly isQuoted: boolean;
  readonly tokens: readonly Token[];
  readonly call: CallAround | undefined;
  readonly source: KnownSource;
}

/**
 * Completions at an offset: functions, parameters, fields, values, saved queries, files and keywords that start with
 * the word before it. Works for text with syntax errors.
 *
 * @param source known events, files and saved queries
 */
export function complete(query: string, offset: number, source: KnownSource = {}): readonly Completion[] {
  const before = query.slice(0, offset);
  const masked = maskText(before);
  const isQuoted = (masked.match(/"/g)?.length ?? 0) % 2 === 1;
  const start = isQuoted
    ? masked.lastIndexOf('"') + 1
    : offset - /[^\s"'()[\]{}|;,=<>!?$]*$/.exec(before)![0].length;
  if (!isQuoted && masked.slice(start) !== before.slice(start)) return [];
  const tokens = tolerantTokens(before.slice(0, isQuoted ? start - 1 : start));
  // The end of a comment allows completions; its inside does not.
  const gap = before.slice(tokens.at(-1)?.end ?? 0);
  if (!isQuoted && /(?<!:)\/\/[^\n\r]*$|\/\*(?:(?!\*\/)[\s\S])*$/.test(gap)) return [];
  const place = { query, word: { start, end: offset }, isQuoted, tokens, call: callIn(tokens), source };
  return matching(suggestionsAt(place), place);
}

/** Completions that start with the word; also functions where it follows the colon, and tags without their `#`. */
function matching(
  suggestions: readonly Suggestion[],
  { query, word, isQuoted }: Place,
): readonly Completion[] {
  const written = query.slice(word.start, word.end).toLowerCase();
  const seen = new Set<string>();
  return suggestions.flatMap((one) => {
    const label = one.label.toLowerCase();
    const ends = [label, label.slice(label.indexOf(':') + 1), label.replace(/^[#@]/, '')];
    const fits = ends.some((text) => text.startsWith(written));
    if (!fits || label === '' || seen.has(`${one.kind} ${one.label}`)) return [];
    seen.add(`${one.kind} ${one.label}`);
    // In a string, only its content is replaced.
    const insert = isQuoted ? one.label : one.insert;
    return isQuoted && (one.kind === 'function' || one.kind === 'keyword')
      ? []
      : [{ ...one, insert, span: word }];
  });
}

function suggestionsAt(place: Place): readonly Suggestion[] {
  const { tokens, source, call } = place;
  const last = tokens.at(-1);
  if (last?.kind === '$') return savedQueries(source, '');
  if (last?.kind === '?')
    return Array.from(place.query.matchAll(/\?\{?([A-Za-z_]\w*)/g), ([, name = '']) =>
      suggestion('variable', name),
    );
  if (call !== undefined) return inCall(place, call);
  if (/^[<>]=?$/.test(last?.kind ?? '')) return [];
  if (/^(?:[-+*/%]|==|<=>)$/.test(last?.kind ?? '')) return [...fields(place), ...functions(['value'])];
  switch (last?.kind) {
    case '=':
    case '!=':
      return values(place, tokens.at(-2)?.value);
    case ':=':
      return [...fields(place), ...functions(['value', 'aggregate'])];
    case '=~':
      return functions(['filter', 'value', 'transform']);
    case 'word':
    case 'string':
    case 'regex':
    case ')':
      return afterOperand(place, last);
    default: {
      const subject = matchedField(tokens);
      return subject === undefined ? atStep(place) : [...values(place, subject), ...words('*')];
    }
  }
}

/** The field of `field match { … }`, if a guard comes next. */
function matchedField(tokens: readonly Token[]): string | undefined {
  const last = tokens.at(-1)?.kind;
  if (last !== '{' && last !== ';') return undefined;
  const opening = openBrackets(tokens).at(-1)!;
  return tokens[opening - 1]?.text.toLowerCase() === 'match' ? tokens[opening - 2]?.value : undefined;
}

function afterOperand(place: Place, { kind, text }: Token): readonly Suggestion[] {
  const isConjunction = kind === 'word' && /^(?:and|or|not)$/i.test(text);
  if (isConjunction) return [...fields(place), ...functions(['filter'])];
  return [...keywords('and', 'or', 'not', 'like'), ...fields(place), ...functions(['filter'])];
}

function atStep(place: Place): readonly Suggestion[] {
  return [
    ...fields(place),
    ...functions(['filter', 'value', 'transform', 'aggregate', 'definition']),
    ...keywords('case', 'not'),
    ...savedQueries(place.source, '$'),
  ];
}

function inCall(place: Place, call: CallAround): readonly Suggestion[] {
  const signature = findSignature(call.name);
  const last = place.tokens.at(-1)!.kind;
  if (signature === undefined) return [...fields(place), ...functions(['value', 'filter'])];
  const isStart = last === '(' || last === ',' || last === '[' || last === '=';
  if (!isStart) return fields(place);
  if (call.argument !== undefined) {
    const parameter = findParameter(signature, call.argument);
    return parameter === undefined ? fields(place) : argumentValues(place, parameter, signature);
  }
  const unnamed = unnamedParameter(signature);
  const own =
    unnamed === undefined || call.args.includes(unnamed.name)
      ? []
      : argumentValues(place, unnamed, signature);
  if (last === '[' || call.isInArray) return own;
  const named = parameters(signature, call.args);
  return unnamed?.form.kind === 'field' ? [...own, ...named] : [...named, ...own];
}

function parameters(
  { name, parameters: all }: FunctionSignature,
  used: readonly string[],
): readonly Suggestion[] {
  return all
    .filter((one) => !used.includes(one.name))
    .map((one) => ({
      ...suggestion('parameter', one.name, `${one.name}=`),
      detail: `${name}(${one.name}=…)`,
      description: describeValue(one),
    }));
}

function argumentValues(
  place: Place,
  { form, name, expects }: ParameterSignature,
  signature: FunctionSignature,
): readonly Suggestion[] {
  switch (form.kind) {
    case 'field':
      return name === 'as' ? [] : (columns(place, name) ?? fields(place));
    case 'aggregate':
      return functions(['aggregate']);
    case 'filter':
    case 'steps':
      return functions(['filter']);
    case 'expression':
      return [...fields(place), ...functions(['value', 'filter'])];
    case 'flag':
      return words('true', 'false');
    case 'order':
      return words('asc', 'desc');
    case 'choice':
      return words(...form.choices);
    case 'limit':
      return words('max');
    case 'span':
      return words('auto', '1m', '5m', '1h', '1day');
    case 'file':
      return files(place.source);
    case 'timeZone':
      return timeZones().map((zone) => suggestion('value', zone, quoteString(zone)));
    case 'other':
      return expects.startsWith('one of ') ? words(...expects.slice('one of '.length).split(', ')) : [];
    case 'text':
      if (signature.name === 'formatTime' && name === 'format') return timeLetters(place);
      return signature.name === 'in' || signature.name === 'wildcard'
        ? values(place, comparedField(place))
        : [];
    default:
      return [];
  }
}

/** `column` and `include` of `match()` name columns of its file, if the file is known. */
function columns({ tokens, source }: Place, parameter: string): readonly Suggestion[] | undefined {
  if (parameter !== 'column' && parameter !== 'include') return undefined;
  const written = tokens.slice(tokens.findLastIndex(({ kind }) => kind === '('));
  const file = source.files?.find(({ name }) => written.some(({ value }) => value === name));
  return file?.columns?.map((name) => suggestion('field', name, quoteField(name)));
}

/** The letters that can follow the format written so far. */
function timeLetters({ query, word }: Place): readonly Suggestion[] {
  const before = query.slice(word.start, word.end).replace(/%$/, '');
  return Object.entries(TIME_LETTERS).map(([letter, detail]) => {
    return { ...suggestion('value', before + letter, quoteString(before + letter)), detail };
  });
}

/** The field of `in(field, values=[…])`. */
function comparedField({ tokens }: Place): string | undefined {
  const opening = tokens.findLastIndex(({ kind }) => kind === '(');
  const name = tokens.findIndex(
    (token, index) => index > opening && token.kind === '=' && tokens[index - 1]?.text === 'field',
  );
  return tokens[name === -1 ? opening + 1 : name + 1]?.value;
}

function functions(kinds: readonly FunctionKind[]): readonly Suggestion[] {
  return functionList().flatMap((name) => {
    const help = describeFunction(name);
    if (help === undefined || !kinds.includes(help.kind)) return [];
    const { usage, description } = help;
    return [{ ...suggestion('function', name, `${name}(`), detail: usage, description }];
  });
}

/** The fields that rows can have here, if the steps before determine them; otherwise those of the source. */
function fields({ query, tokens, source }: Place): readonly Suggestion[] {
  const pipe = tokens.findLastIndex(({ kind }) => kind === '|');
  const known = resultFields(query.slice(0, tokens[pipe]?.start ?? 0))?.keys();
  const assigned = tokens.flatMap((token, index) => (tokens[index + 1]?.kind === ':=' ? [token.value] : []));
  const names = known ?? [...(source.fields ?? []).map(({ name }) => name), ...assigned];
  return Array.from(names, (name) => suggestion('field', name, quoteField(name)));
}

function values({ source }: Place, field: string | undefined): readonly Suggestion[] {
  const known = source.fields?.find(({ name }) => name === field);
  return (known?.values ?? []).map((value) => suggestion('value', value, bareOrQuoted(value)));
}

function files({ files: known = [] }: KnownSource): readonly Suggestion[] {
  return known.map(({ name, columns = [] }) => ({
    ...suggestion('file', name, quoteString(name)),
    ...(columns.length > 0 && { detail: columns.join(', ') }),
  }));
}

function savedQueries({ savedQueries: known = [] }: KnownSource, prefix: string): readonly Suggestion[] {
  return known.map(({ name, description }) => ({
    ...suggestion('savedQuery', prefix + name, `${prefix}${bareOrQuoted(name)}()`),
    ...(description !== undefined && { description }),
  }));
}

function words(...texts: readonly string[]): readonly Suggestion[] {
  return texts.map((text) => suggestion('value', text));
}

function keywords(...texts: readonly string[]): readonly Suggestion[] {
  return texts.map((text) => suggestion('keyword', text, text === 'case' ? 'case { ' : `${text} `));
}

function suggestion(kind: CompletionKind, label: string, insert = label): Suggestion {
  return { kind, label, insert };
}

function bareOrQuoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : quoteString(text);
}
