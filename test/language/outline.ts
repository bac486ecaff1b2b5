import type {
  ArgumentNode,
  ExpressionNode,
  FieldNode,
  FilterNode,
  ParameterNode,
  PatternNode,
  PipelineNode,
  QueryNode,
  RegexNode,
} from '../../src/language/index.ts';

/** The tree without its spans, for comparisons of two trees. */
export function withoutSpans(node: QueryNode): unknown {
  return JSON.parse(
    JSON.stringify(node, (key, value) => (key === 'span' || key === 'nameSpan' ? undefined : value)),
  );
}

/** A tree as one line that shows every grouping: `(and a=1 (or b c))`. Independent of the printer. */
export function outline(pipeline: PipelineNode): string {
  return pipeline.steps.map(outlineStep).join(' | ');
}

function outlineStep(step: PipelineNode['steps'][number]): string {
  switch (step.kind) {
    case 'Assignment':
      return `(assign ${term(step.target)} ${expression(step.value)})`;
    case 'FieldCall':
      return `(on ${term(step.field)} ${step.negated ? 'not ' : ''}${expression(step.call)})`;
    case 'Case':
      return `(case ${step.clauses.map((clause) => `{${outline(clause)}}`).join(' ')})`;
    case 'Match':
      return `(match ${term(step.field)} ${step.arms
        .map(
          ({ guard, pipeline }) =>
            `{${guard.kind === 'Call' ? expression(guard) : term(guard)} => ${outline(pipeline)}}`,
        )
        .join(' ')})`;
    case 'Stats':
      return `(stats ${expression(step.functions)})`;
    case 'SavedQuery':
      return expression(step);
    default:
      return filter(step);
  }
}

function filter(node: FilterNode): string {
  switch (node.kind) {
    case 'And':
    case 'Or':
      return `(${node.kind.toLowerCase()} ${node.operands.map(filter).join(' ')})`;
    case 'Not':
      return `(not ${filter(node.operand)})`;
    case 'Boolean':
      return `<${node.value}>`;
    case 'Comparison': {
      const { field, operator, value } = node;
      const right =
        value.kind === 'Call' ? expression(value) : value.kind === 'Number' ? `#${value.text}` : term(value);
      return `${term(field)} ${operator} ${right}`;
    }
    case 'FreeText':
      return `text:${term(node.value)}`;
    case 'Call':
      return expression(node);
  }
}

function term(node: FieldNode | PatternNode | RegexNode | ParameterNode): string {
  switch (node.kind) {
    case 'Field':
      return node.quoted ? `'${node.name}'` : node.name;
    case 'Pattern':
      return node.quoted ? `'${node.text}'` : node.text;
    case 'Regex':
      return `/${node.body}/${node.flags}`;
    case 'Parameter': {
      const name = node.quoted ? `'${node.name}'` : node.name;
      return node.defaultValue === undefined ? `?${name}` : `?${name}=${term(node.defaultValue)}`;
    }
  }
}

function expression(node: ExpressionNode | RegexNode): string {
  switch (node.kind) {
    case 'Binary':
      return `(${node.operator} ${expression(node.left)} ${expression(node.right)})`;
    case 'Unary':
      return `(${node.operator} ${expression(node.operand)})`;
    case 'String':
      return `'${node.value}'`;
    case 'Bareword':
      return node.text;
    case 'Call':
      return `${node.name}(${node.arguments.map(argument).join(', ')})`;
    case 'SavedQuery':
      return `$${node.quoted ? `'${node.name}'` : node.name}(${node.arguments.map(argument).join(', ')})`;
    case 'Array':
      return `[${node.elements.map((one) => (one.kind === 'Assignment' ? outlineStep(one) : expression(one))).join(', ')}]`;
    case 'Subquery':
      return `${node.name === undefined ? '' : `${node.name}:`}{${outline(node.pipeline)}}`;
    case 'Parameter':
    case 'Regex':
      return term(node);
  }
}

function argument({ name, value, attributes = [] }: ArgumentNode): string {
  const prefix = name === undefined ? '' : `${term(name)}=`;
  return (
    prefix + expression(value) + attributes.map((one) => ` ${one.name}:${expression(one.value)}`).join('')
  );
}
