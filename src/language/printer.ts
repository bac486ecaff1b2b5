import { LogOptionsException } from '../core/exception.ts';
import { quoteString } from '../core/query-text.ts';
import type {
  ArgumentNode,
  BinaryNode,
  ExpressionNode,
  FieldNode,
  FilterNode,
  ParameterNode,
  PatternNode,
  QueryNode,
} from './ast.ts';
import {
  EXPRESSION_WORD,
  isFieldName,
  isPattern,
  isStarredPattern,
  matchesWhole,
  PARAMETER_NAME,
  SAVED_QUERY_NAME,
} from './character-classes.ts';
import { chainOf } from './operator-chain.ts';
import { isReservedWord } from './reserved-words.ts';
import { requireNode } from './walk.ts';

/** Far more than `parse` allows; a hand-made tree could overflow the stack or have a cycle. */
const MAX_DEPTH = 1_000;

/**
 * Prints a tree or a part of it as a query. Parsing the result returns an equal tree, except for spans. Parentheses are
 * printed only where needed. Text that needs quotes is quoted even if the node is not marked as quoted.
 *
 * @throws LogOptionsException if the tree is more than 1,000 levels deep, or the value is not a node
 */
export function print(node: QueryNode): string {
  let depth = 0;
  const printNode: Print = (inner) => {
    depth += 1;
    if (depth > MAX_DEPTH)
      throw new LogOptionsException(`print: the tree is more than ${MAX_DEPTH} levels deep.`);
    requireNode('print', inner);
    const printer = PRINTERS[inner.kind] as (node: QueryNode, print: Print) => string;
    const text = printer(inner, printNode);
    depth -= 1;
    return text;
  };
  return printNode(node);
}

type Kind = QueryNode['kind'];
type NodeOf<K extends Kind> = Extract<QueryNode, { readonly kind: K }>;
type Print = (node: QueryNode) => string;

/** One function per kind of node. A missing kind does not compile. */
const PRINTERS: { readonly [K in Kind]: (node: NodeOf<K>, print: Print) => string } = {
  Pipeline: ({ steps }, print) => steps.map(print).join(' | '),
  Assignment: ({ target, value }, print) => `${print(target)} := ${print(value)}`,
  FieldCall: ({ field, negated, call }, print) => `${print(field)} =~ ${negated ? '!' : ''}${print(call)}`,
  Case: ({ clauses }, print) =>
    ['case {', ...(clauses.length > 0 ? [clauses.map(print).join('; ')] : []), '}'].join(' '),
  Match: ({ field, arms }, print) => `${print(field)} match { ${arms.map(print).join('; ')} }`,
  MatchArm: ({ guard, pipeline }, print) => `${print(guard)} => ${print(pipeline)}`,
  Stats: ({ functions }, print) => print(functions),
  SavedQuery: ({ name, quoted, arguments: given }, print) =>
    `$${printName(name, quoted || name.endsWith('//') || !matchesWhole(SAVED_QUERY_NAME, name))}(${given.map((one) => printSavedQueryArgument(one, print)).join(', ')})`,

  // A space joins, unless the next filter would be read as the operator `like`.
  And: ({ operands }, print) =>
    operands
      .map((one) => printOperand(one, ['And'], print))
      .reduce((all, text) => all + (/^like /i.test(text) ? ' and ' : ' ') + text),
  Or: ({ operands }, print) => operands.map((one) => printOperand(one, ['And', 'Or'], print)).join(' or '),
  Not: ({ operand }, print) => `not ${printOperand(operand, ['And', 'Or'], print)}`,
  Boolean: ({ value }) => String(value),
  Comparison: ({ field, operator, value }, print) =>
    operator === '=' || operator === '!='
      ? joinAround(printComparedField(field), operator, print(value))
      : `${printComparedField(field)} ${operator} ${print(value)}`,
  FreeText: ({ value }, print) => (value.kind === 'Pattern' ? printFreePattern(value) : print(value)),

  Field: ({ name, quoted }) => printName(name, quoted || !isFieldName(name)),
  Pattern: ({ text, quoted }) => printName(text, quoted || !isPattern(text)),
  Regex: ({ body, flags }) => regexLiteral(body, flags),
  Number: ({ text, quoted }) => printName(text, quoted),
  Parameter: printParameter,

  Binary: printBinary,
  Unary: ({ operator, operand }, print) => operator + printFactor(operand, UNARY_BINDING, print),
  String: ({ value }) => quoteString(value),
  Bareword: ({ text }) => printName(text, !matchesWhole(EXPRESSION_WORD, text)),
  Array: ({ elements }, print) => `[${elements.map((one) => printWhole(one, print)).join(', ')}]`,
  Subquery: ({ name, pipeline }, print) => {
    const body = pipeline.steps.length === 0 ? '{}' : `{ ${print(pipeline)} }`;
    return name === undefined ? body : `${name}: ${body}`;
  },
  Call: ({ name, arguments: given }, print) => `${name}(${given.map(print).join(', ')})`,
  Argument: ({ name, value, attributes = [] }, print) =>
    [(name === undefined ? '' : `${print(name)}=`) + printWhole(value, print), ...attributes.map(print)].join(
      ' ',
    ),
  Attribute: ({ name, value }, print) => `${name}: ${print(value)}`,
};

function printOperand(operand: FilterNode, parenthesized: readonly Kind[], print: Print): string {
  return parenthesized.includes(operand.kind) ? `(${print(operand)})` : print(operand);
}

function printComparedField({ name, quoted }: FieldNode): string {
  return printName(name, quoted || !isFieldName(name) || /^(?:and|or|not)$/i.test(name));
}

function printFreePattern({ text, quoted }: PatternNode): string {
  const hasMeaning = text === 'true' || text === 'false' || isReservedWord(text);
  return printName(text, quoted || hasMeaning || !isPattern(text));
}

/** Without spaces, unless the result would contain `:=` or `=~`. */
function joinAround(left: string, equality: string, right: string): string {
  const before = left.endsWith(':') ? ' ' : '';
  const after = right.startsWith('~') ? ' ' : '';
  return left + before + equality + after + right;
}

/** A regular expression between slashes. */
export function regexLiteral(body: string, flags = ''): string {
  const text = body.replace(/\\.|[/\n\r]/gs, (part) => REGEX_ESCAPES[part] ?? part);
  return `/${text === '' ? '(?:)' : text}/${flags}`;
}

function printParameter({ name, quoted, defaultValue }: ParameterNode, print: Print): string {
  const bracedName = printName(name, quoted || !isPattern(name));
  if (defaultValue !== undefined) return `?{${joinAround(bracedName, '=', print(defaultValue))}}`;
  if (!quoted && isPattern(name) && !matchesWhole(PARAMETER_NAME, name)) return `?{${name}}`;
  return `?${bracedName}`;
}

const UNARY_BINDING = 4;

/** The precedence of an operator: comparisons have the lowest. */
function bindingOf({ operator }: BinaryNode): number {
  return /[*/%]/.test(operator) ? 3 : /[+-]/.test(operator) ? 2 : 1;
}

function printBinary(node: BinaryNode, print: Print): string {
  // Sums and products are left-associative; comparisons can't be chained.
  const { first, links } = chainOf(node);
  const binding = bindingOf(node);
  const firstText = printFactor(first, Math.max(binding, 2), print);
  const rest = links.map(
    ({ operator, operand }) => `${operator} ${printFactor(operand, binding + 1, print)}`,
  );
  return [firstText, ...rest].join(' ');
}

/** An operand, in parentheses if its precedence is too low. */
function printFactor(operand: ExpressionNode, binding: number, print: Print): string {
  const isLoose = operand.kind === 'Binary' && bindingOf(operand) < binding;
  return isLoose ? `(${print(operand)})` : print(operand);
}

/** A complete item of a list. */
function printWhole(value: QueryNode, print: Print): string {
  return value.kind === 'Bareword' && isStarredPattern(value.text) ? value.text : print(value);
}

/** In this place, `-a` would be a pattern, and a pattern such as `a-b` needs no quotes. */
function printSavedQueryArgument({ name, value }: ArgumentNode, print: Print): string {
  const isBarePattern = value.kind === 'Bareword' && isPattern(value.text);
  const text = value.kind === 'Unary' ? `(${print(value)})` : isBarePattern ? value.text : print(value);
  return name === undefined ? text : joinAround(print(name), '=', text);
}

function printName(text: string, quoted: boolean): string {
  return quoted ? quoteString(text) : text;
}

const REGEX_ESCAPES: Readonly<Record<string, string>> = { '/': '\\/', '\n': '\\n', '\r': '\\r' };
