import {
  childrenOf,
  type PipelineNode,
  parse as parseQuery,
  type QueryNode,
} from '../../../src/language/index.ts';

export type Pipeline = PipelineNode;

/** The tree of a query, for comparisons. */
export function parse(query: string): SyntaxTree {
  return new SyntaxTree(parseQuery(query));
}

class SyntaxTree {
  readonly pipeline: Pipeline;

  constructor(pipeline: Pipeline) {
    this.pipeline = pipeline;
  }

  /** Without positions. */
  get json(): unknown {
    return JSON.parse(JSON.stringify(this.pipeline, (key, value) => (isPlace(key) ? undefined : value)));
  }

  /** The quoted strings, except patterns with a wildcard and numbers. */
  get quoted(): QueryNode[] {
    return quotedIn(this.pipeline);
  }

  /** Replaces each literal for exactly `text`, quoted or a regex, with a quoted string. */
  replaceLiteral(text: string, replacement: string): { replaced: number; tree: unknown } {
    let replaced = 0;
    const tree = JSON.parse(JSON.stringify(this.json), (_, node) => {
      if (!isLiteral(node, text)) return node;
      replaced++;
      return node.kind === 'String'
        ? { kind: 'String', value: replacement }
        : { kind: 'Pattern', text: replacement, quoted: true };
    });
    return { replaced, tree };
  }
}

function quotedIn(node: QueryNode): QueryNode[] {
  const isQuoted =
    node.kind === 'String' || (node.kind === 'Pattern' && node.quoted && !node.text.includes('*'));
  return [...(isQuoted ? [node] : []), ...childrenOf(node).flatMap(quotedIn)];
}

function isPlace(key: string): boolean {
  return key === 'span' || key === 'nameSpan';
}

interface Literal {
  readonly kind: string;
  readonly value?: string;
  readonly text?: string;
  readonly quoted?: boolean;
  readonly body?: string;
  readonly flags?: string;
}

function isLiteral(node: Literal | null | undefined, text: string): boolean {
  if (node?.kind === 'String') return node.value === text;
  if (node?.kind === 'Pattern') return node.quoted === true && node.text === text && !text.includes('*');
  if (node?.kind !== 'Regex' || !text.includes('*')) return false;
  return node.flags === '' && textOfRegex(node.body ?? '') === text;
}

/** The only string that an expression without operators matches. */
function textOfRegex(body: string): string | undefined {
  const inner = body.startsWith('\\A') ? body.slice(2, -2) : body;
  if (/(?<!\\)(?:\\\\)*[.*+?()[\]{}|^$]/.test(inner)) return undefined;
  return inner.replace(
    /\\(?:n|x([\da-f]{2})|u([\da-f]{4})|([^A-Za-z0-9]))|\//g,
    (all, hex, unicode, same) => {
      if (all === '\\n') return '\n';
      return same ?? (all === '/' ? '/' : String.fromCharCode(Number.parseInt(hex ?? unicode, 16)));
    },
  );
}
