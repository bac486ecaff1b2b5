import type { ArgumentNode, CallNode, FilterNode, PipelineNode, QueryNode, Span } from '../ast.ts';
import { RegexError } from '../regex/regex-error.ts';
import { groupNames, type RegexSource, readRegex } from '../regex/regex-parser.ts';
import { parameterOf, textOf } from './call-arguments.ts';
import { error, type Finding, findIn, warning } from './diagnostic.ts';
import { regexWarnings } from './regex-warnings.ts';

/** Why groups are no fields. */
export const GROUPS_BELOW =
  'A regular expression with named groups is only allowed at the top level of a step, joined with "and": under "or" and "not" and in conditions, it can\'t create fields';

/** Reports regular expressions that are invalid, unsupported by the service, or probably cut off at a slash. */
export function checkRegexes(tree: PipelineNode, query: string): readonly Finding[] {
  const findings = findIn(tree, {
    Regex: ({ body, flags, span }, parent) =>
      parent?.kind === 'Argument' ? [] : problemsOf({ body, flags }, span),
    Call: (call) =>
      call.arguments.flatMap((argument) => {
        const kind = parameterOf(argument, call)?.form.kind ?? '';
        const below = ['filter', 'expression'].includes(kind) ? groupsBelow(argument.value) : [];
        return [...argumentProblems(argument, call), ...below];
      }),
    Assignment: ({ value }) => groupsBelow(value),
    And: ({ operands }) => cutProblems(operands, query),
    Or: groupsBelow,
    Not: groupsBelow,
  });
  return findings.filter(
    ({ code, span }, place) =>
      findings.findIndex((other) => other.code === code && other.span.start === span.start) === place,
  );
}

function problemsOf(source: RegexSource, span: Span): readonly Finding[] {
  try {
    readRegex(source);
  } catch (problem) {
    if (!(problem instanceof RegexError)) throw problem;
    const message = `Invalid regular expression: ${problem.message}.`;
    return [error('invalid-regex', span, message)];
  }
  return regexWarnings(source.body).map(({ code, message }) => warning(code, span, message));
}

function argumentProblems(argument: ArgumentNode, call: CallNode): readonly Finding[] {
  const source = regexOf(argument, call);
  if (source === undefined) return [];
  if (!source.flags.includes('g') || !isRegexCall(call)) return problemsOf(source, argument.span);
  const message = 'regex() does not support the flag g: use repeat=true.';
  return [error('invalid-regex', argument.span, message)];
}

const isRegexCall = ({ name }: CallNode) => /^regex$/i.test(name);

/** The regular expression in an argument; `undefined` if it has none or depends on a parameter. */
function regexOf(argument: ArgumentNode, call: CallNode): RegexSource | undefined {
  const { value } = argument;
  if (parameterOf(argument, call)?.form.kind !== 'regex') return undefined;
  if (value.kind === 'Regex') return value;
  const body = textOf(value);
  return body === undefined ? undefined : { body, flags: '' };
}

/** Named groups below a node, where they can't create fields. */
function groupsBelow(node: QueryNode): readonly Finding[] {
  const isNegated = (parent: QueryNode | undefined): boolean =>
    parent?.kind === 'Not' || (parent?.kind === 'Comparison' && parent.operator === '!=');
  return findIn(node, {
    Regex({ body, span }, parent) {
      if (isNegated(parent) || parent?.kind === 'Argument' || groupNames(body).length === 0) return undefined;
      return error('regex-groups', span, `${GROUPS_BELOW}.`);
    },
    Call(call, parent) {
      if (!isRegexCall(call) || isNegated(parent) || !changesEvents(call)) return false;
      const message = `${call.name}() changes events here, so it is only allowed at the top level of a step, joined with "and".`;
      return error('regex-groups', call.span, message);
    },
  });
}

function changesEvents(call: CallNode): boolean {
  return call.arguments.some((argument) => {
    const source = regexOf(argument, call);
    const repeats = argument.name?.name === 'repeat' && textOf(argument.value)?.toLowerCase() === 'true';
    return repeats || (source !== undefined && groupNames(source.body).length > 0);
  });
}

/** A regular expression directly after another one: probably a slash is not escaped. */
function cutProblems(operands: readonly FilterNode[], query: string): readonly Finding[] {
  return operands.flatMap((operand, place): readonly Finding[] => {
    const before = operands[place - 1];
    if (operand.kind !== 'FreeText' || operand.value.kind !== 'Regex') return [];
    if (before?.kind !== 'FreeText' && before?.kind !== 'Comparison') return [];
    if (before.value.kind !== 'Regex' || before.span.end !== operand.span.start) return [];
    const { start, end } = before.value.span;
    const span = { start, end: operand.span.end };
    const message = `These are two regular expressions, ${query.slice(start, end)} and ${query.slice(operand.span.start, span.end)}. If this is one, write the slashes in it as \\/.`;
    return [warning('cut-regex', span, message)];
  });
}
