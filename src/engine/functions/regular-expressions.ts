import { withoutBrackets } from '../arrays/array-fields.ts';
import type { Verdict } from '../columns/column-test.ts';
import { converted } from '../columns/expression.ts';
import { rowExpression } from '../columns/row-view.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { assignmentStep, extractionStep } from '../operators/field-steps.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import type { Regex, Substitute } from '../regex/regex.ts';
import { compileRegexArgument } from '../regex/regex-argument.ts';
import type { RunScope } from '../run/run-context.ts';
import { fieldName, flag, integer, regexFlags, regexSource, text } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { define, optional, rawstring, required, unnamed, withDefault } from '../signature/function-spec.ts';
import { joinTexts } from '../text/text-limit.ts';

const LIMIT = 100;

/** Keeps events whose field matches a regular expression, and extracts its named groups. */
export const regex = define.filter({
  name: 'regex',
  parameters: {
    regex: unnamed(regexSource),
    field: withDefault(fieldName, '@rawstring'),
    flags: optional(regexFlags),
    strict: withDefault(flag, true),
    repeat: withDefault(flag, false),
    limit: withDefault(integer({ min: 1, max: 10_000 }), LIMIT),
  },
  compile({ regex: source, field, flags, strict, repeat, limit }, call) {
    const compiled = compileRegexArgument(source, flags, call);
    if (compiled.isRepeating) call.fail('regex() does not support the flag g: use repeat=true', 'regex');
    const test = (row: Fields, run: RunScope): Verdict => {
      const value = readField(row, field);
      return !strict || (value !== undefined && compiled.test(value, run));
    };
    if (compiled.groups.length === 0 && !repeat) return { test };
    return { test, step: extractionStep(compiled, { field, repeat, limit, keepOthers: !strict }) };
  },
});

/** Replaces all matches of a regular expression in a field. */
export const replace = define.value({
  name: 'replace',
  uncertain: ['An unknown group in the replacement is an error.'],
  output: ({ field }) => field,
  parameters: {
    regex: unnamed(regexSource),
    with: withDefault(text, '', { aliases: ['replacement'] }),
    field: withDefault(fieldName, '@rawstring'),
    flags: optional(regexFlags),
  },
  compile(args, call) {
    const { field, flags } = args;
    const regex = compileRegexArgument(args.regex, flags, call);
    const substitute = compileReplacement(args.with, regex, call);
    return converted(field, (value, run) => regex.replace(value, substitute, run));
  },
});

/** `$1` and `${name}` refer to groups; a backslash escapes the next character. */
function compileReplacement(template: string, regex: Regex, call: CallSite): Substitute {
  const pieces: (string | number)[] = [];
  for (const match of template.matchAll(/\\(.?)|\$(\d)|\$\{([^}]+)\}|\$|[^\\$]+/gs)) {
    const [whole, escaped, digit, name] = match;
    if (escaped !== undefined) pieces.push(escaped);
    else if (digit !== undefined) pieces.push(Number(digit));
    else if (name !== undefined) pieces.push(regex.groups.find((group) => group.name === name)?.index ?? -1);
    else if (whole === '$')
      call.fail('In a replacement, $ must be followed by a group number; write a literal $ as \\$', 'with');
    else pieces.push(whole);
  }
  const unknown = pieces.find(
    (piece) => typeof piece === 'number' && (piece < 0 || piece > regex.groupCount),
  );
  if (unknown !== undefined) {
    call.fail('The replacement refers to a group that the regular expression does not have', 'with');
  }
  if (pieces.every((piece) => typeof piece === 'string')) {
    const text = joinTexts(pieces);
    return () => text;
  }
  return (match) =>
    joinTexts(pieces.map((piece) => (typeof piece === 'number' ? (match[piece] ?? '') : piece)));
}

const MAX_INDEX = 100_000;
const MAX_PARTS = 100_000;

/** Splits a field at the matches of a regular expression, into an array or to one of the parts. */
export const splitString = define.transform({
  name: 'splitString',
  uncertain: [
    'If the target array was longer, its remaining elements are kept after the result.',
    'A string is split into at most 100,000 parts; the last part holds the rest.',
  ],
  parameters: {
    field: rawstring,
    by: required(regexSource),
    as: withDefault(fieldName, '_splitstring'),
    index: optional(integer({ min: -MAX_INDEX, max: MAX_INDEX })),
  },
  compile({ field, by, as, index }, call) {
    const regex = compileRegexArgument(by, undefined, call, 'by');
    const name = withoutBrackets(as);
    const partsIn = (row: Fields, run: RunScope): Iterable<string | undefined> => {
      const value = readField(row, field);
      return value === undefined ? [] : partsOf(value, regex.matches(value, MAX_PARTS - 1, run));
    };
    if (index !== undefined) {
      const value = rowExpression((row, run) => partAt(partsIn(row, run), index), [field]);
      return assignmentStep([{ name: as, value }]);
    }
    return editStep((row, run) => {
      const parts = [...partsIn(row, run)];
      if (parts.at(-1) === undefined) return;
      for (const [position, part] of parts.entries()) writeField(row, `${name}[${position}]`, part!);
    }, unknownColumns);
  },
});

/** An empty match at the start or end splits nothing. The last part is `undefined` if the rest is undecided. */
function* partsOf(
  value: string,
  matches: Iterable<RegExpExecArray | undefined>,
): Generator<string | undefined, void> {
  let start = 0;
  for (const match of matches) {
    if (match === undefined) return yield match;
    const { 0: separator, index } = match;
    if (separator === '' && (index === 0 || index === value.length)) continue;
    yield value.slice(start, index);
    start = index + separator.length;
  }
  yield value.slice(start);
}

/** A negative index counts from the end. Parts after the requested one are not searched. */
function partAt(parts: Iterable<string | undefined>, index: number): string | undefined {
  if (index < 0) {
    const all = [...parts];
    return all.at(-1) === undefined ? undefined : all.at(index);
  }
  let position = 0;
  for (const part of parts) if (position++ === index) return part;
  return undefined;
}
