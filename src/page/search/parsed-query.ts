import { escapeRegex } from '../../core/escape-regex.ts';
import { tryOr } from '../../core/try-or.ts';
import { type CallNode, type StepNode, walk } from '../../language/index.ts';
import { parseTree } from '../../language/syntax-tree.ts';

const MIN_LENGTH = 2;

/** A pattern for the words that a query searches for, and another one; `undefined` if it has none or can't be parsed. */
export function searchWords(query: string, other?: string): RegExp | undefined {
  const words = new Set(other === undefined ? [] : [other]);
  try {
    walk(parseTree(query), {
      Not: () => false,
      Call: () => false,
      Pattern({ text, quoted }) {
        for (const word of quoted ? [text] : text.split('*')) if (word.length >= MIN_LENGTH) words.add(word);
      },
    });
  } catch {
    return undefined;
  }
  if (words.size === 0) return undefined;
  const escaped = [...words].map(escapeRegex);
  return new RegExp(escaped.join('|'), 'gi');
}

/** The fields by which `groupBy()` or `top()` groups; none if the query can't be parsed. */
export function groupFields(query: string): readonly string[] {
  const call = tryOr(undefined, () => parseTree(query).steps.findLast(isGrouping));
  return call === undefined ? [] : fieldsOf(call);
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
