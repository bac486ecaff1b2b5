import { type CallNode, parse, type StepNode } from '../../language/index.ts';

/** The fields by which `groupBy()` or `top()` groups; none if the query can't be parsed. */
export function groupFields(query: string): readonly string[] {
  try {
    const call = parse(query).steps.findLast(isGrouping);
    return call === undefined ? [] : fieldsOf(call);
  } catch {
    return [];
  }
}

function isGrouping(step: StepNode): step is CallNode {
  return step.kind === 'Call' && /^(?:groupBy|top)$/i.test(step.name);
}

function fieldsOf({ arguments: argumentNodes }: CallNode): readonly string[] {
  const value = argumentNodes.find(({ name }) => name === undefined || name.name === 'field')?.value;
  const nodes = value?.kind === 'Array' ? value.elements : [value];
  return nodes.flatMap((node) => {
    if (node?.kind === 'Bareword') return [node.text];
    return node?.kind === 'String' ? [node.value] : [];
  });
}
