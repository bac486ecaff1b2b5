import type { CharacterSet } from './character-set.ts';

export type RegexAssertion =
  | 'textStart'
  | 'textEnd'
  | 'lineStart'
  | 'lineEnd'
  | 'wordBoundary'
  | 'noWordBoundary';

/** A regular expression as a tree. Modes and names are resolved. */
export type RegexNode =
  /** One character. */
  | { readonly kind: 'Set'; readonly set: CharacterSet }
  | { readonly kind: 'Sequence'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'Alternation'; readonly options: readonly RegexNode[] }
  /** `index` is the number of a capturing group, `undefined` for one that only holds together. */
  | { readonly kind: 'Group'; readonly index: number | undefined; readonly body: RegexNode }
  /** `max` may be infinite. */
  | {
      readonly kind: 'Repeat';
      readonly body: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: 'Assertion'; readonly assertion: RegexAssertion }
  /** `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`; `opening` is what stands after the bracket. */
  | { readonly kind: 'Look'; readonly opening: '?=' | '?!' | '?<=' | '?<!'; readonly body: RegexNode }
  /** `(?>…)`, `a++`: once matched, it does not give back. */
  | { readonly kind: 'Atomic'; readonly body: RegexNode }
  | { readonly kind: 'Reference'; readonly index: number; readonly ignoreCase: boolean };

export interface NamedGroup {
  readonly name: string;
  /** Index in a match. */
  readonly index: number;
}

export interface ParsedRegex {
  readonly root: RegexNode;
  readonly groups: readonly NamedGroup[];
  /** Named and numbered groups. */
  readonly groupCount: number;
}

export function sequence(items: readonly RegexNode[]): RegexNode {
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : { kind: 'Sequence', items };
}

/** The child nodes. */
function partsOf(node: RegexNode): readonly RegexNode[] {
  switch (node.kind) {
    case 'Sequence':
      return node.items;
    case 'Alternation':
      return node.options;
    case 'Group':
    case 'Repeat':
    case 'Look':
    case 'Atomic':
      return [node.body];
    default:
      return [];
  }
}

/** Whether a node or one of its descendants passes a test. */
export function someNode(node: RegexNode, test: (node: RegexNode) => boolean): boolean {
  return test(node) || partsOf(node).some((part) => someNode(part, test));
}

export function hasGroups(node: RegexNode): boolean {
  return someNode(node, (inner) => inner.kind === 'Group' && inner.index !== undefined);
}

/** Whether a node can match the empty string. */
export function canBeEmpty(node: RegexNode): boolean {
  switch (node.kind) {
    case 'Set':
      return false;
    case 'Sequence':
      return node.items.every(canBeEmpty);
    case 'Alternation':
      return node.options.some(canBeEmpty);
    case 'Repeat':
      return node.min === 0 || canBeEmpty(node.body);
    case 'Group':
    case 'Atomic':
      return canBeEmpty(node.body);
    default:
      return true;
  }
}
