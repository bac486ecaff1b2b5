import { tryOr } from '../../core/try-or.ts';
import {
  type ArgumentNode,
  type CallNode,
  childrenOf,
  describeFunction,
  type ParameterSignature,
  parse,
  type QueryNode,
  type Span,
  type TextEdit,
} from '../../language/index.ts';

/** The name of a field, and where it is in a query. */
export interface FieldName {
  readonly name: string;
  readonly span: Span;
}

/**
 * All names of fields in a query: in filters, assignments and expressions, in arguments that are fields, and in groups of
 * regular expressions. None if the query can't be parsed.
 */
export function validFieldNames(query: string): readonly FieldName[] {
  const names: FieldName[] = [];
  const tree = tryOr(undefined, () => parse(query));
  if (tree !== undefined) collect(tree, query, names);
  return names;
}

function collect(node: QueryNode, query: string, names: FieldName[]): void {
  if (node.kind === 'Field') names.push({ name: node.name, span: node.span });
  // An operand.
  if (node.kind === 'Bareword') names.push({ name: unquoted(node.span, query), span: node.span });
  if (node.kind === 'Regex' || node.kind === 'String') names.push(...groupNames(node.span, query));
  if (node.kind === 'Call') collectArguments(node, query, names);
  else for (const child of childrenOf(node)) collect(child, query, names);
}

function collectArguments(call: CallNode, query: string, names: FieldName[]): void {
  const help = describeFunction(call.name);
  for (const [index, argument] of call.arguments.entries()) {
    // The names of arguments are fields in eval(a=b).
    if (argument.name !== undefined && help?.anyName !== undefined) collect(argument.name, query, names);
    const parameter = help && parameterOf(help.parameters, argument, index);
    const values = argument.value.kind === 'Array' ? argument.value.elements : [argument.value];
    for (const value of values) {
      const isName = value.kind === 'String' || value.kind === 'Bareword';
      if (isName && isField(parameter, value.kind))
        names.push({ name: unquoted(value.span, query), span: value.span });
      else if (value.kind !== 'Bareword') collect(value, query, names);
    }
  }
}

function parameterOf(
  parameters: readonly ParameterSignature[],
  { name }: ArgumentNode,
  index: number,
): ParameterSignature | undefined {
  if (name === undefined)
    return parameters.filter(({ isUnnamed }) => isUnnamed === true)[index] ?? parameters[index];
  return parameters.find((each) => isNamed(each, name.name));
}

/** Whether a parameter has a name, in any case. */
export function isNamed({ name, aliases = [] }: ParameterSignature, text: string): boolean {
  return [name, ...aliases].some((own) => own.toLowerCase() === text.toLowerCase());
}

/** In an expression, a string is a value. */
function isField(parameter: ParameterSignature | undefined, kind: 'String' | 'Bareword'): boolean {
  const form = parameter?.form.kind;
  return form === 'field' || (kind === 'Bareword' && (form === 'expression' || form === 'other'));
}

function groupNames({ start, end }: Span, query: string): readonly FieldName[] {
  const groups = [...query.slice(start, end).matchAll(/(?<=\(\?P?<)[\w.@#[\]-]+(?=>)/g)];
  return groups.map(({ 0: name, index }) => {
    return { name, span: { start: start + index, end: start + index + name.length } };
  });
}

function unquoted({ start, end }: Span, query: string): string {
  return query.slice(start, end).replace(/^"|"$/g, '');
}

/** The edits that rename a field in a query; or why it can't be renamed. */
export function renameField(query: string, offset: number, newName: string): readonly TextEdit[] | string {
  const names = validFieldNames(query);
  const field = names.find(({ span }) => span.start <= offset && offset <= span.end);
  if (field === undefined) return 'There is no field here.';
  if (names.some(({ name }) => name === newName)) return `The query already has a field "${newName}".`;
  if (newName === '' || /["\\\n]/.test(newName)) return `"${newName}" can't be the name of a field.`;
  const isWord = /^[@#]?[A-Za-z_][\w.]*(?:\[\d+\])?$/.test(newName);
  const own = names.filter(({ name }) => name === field.name);
  const isGroup = ({ start }: Span): boolean => query[start - 1] === '<';
  if (!isWord && own.some(({ span }) => isGroup(span)))
    return `A group of a regular expression can't be named "${newName}".`;
  return own.map(({ span }) => {
    const isQuoted = query[span.start] === '"' || (!isWord && !isGroup(span));
    return { span, text: isQuoted ? `"${newName}"` : newName };
  });
}
