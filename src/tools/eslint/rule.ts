/** The parts of ESLint's types that the plugin uses, so that ESLint is not a dependency of programs without it. */

export interface RuleContext {
  readonly options: readonly unknown[];
  readonly sourceCode: {
    readonly text: string;
    getLocFromIndex(index: number): { line: number; column: number };
  };
  report(problem: {
    readonly message: string;
    readonly loc: { readonly start: Position; readonly end: Position };
    readonly fix: ((fixer: Fixer) => unknown) | null;
    readonly suggest?: { readonly desc: string; readonly fix: (fixer: Fixer) => unknown }[];
  }): void;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Fixer {
  replaceTextRange(range: [number, number], text: string): unknown;
}

export interface Rule {
  readonly meta: {
    readonly type: 'problem';
    readonly docs: { readonly description: string };
    readonly fixable: 'code';
    readonly hasSuggestions: true;
    readonly schema: object[];
  };
  create(context: RuleContext): { TaggedTemplateExpression(node: TaggedTemplate): void };
}

interface Located {
  readonly range?: [number, number] | undefined;
}

/** `` tag`quasi ${expression}` `` */
export interface TaggedTemplate {
  readonly tag: { readonly type: string; readonly name?: string | undefined };
  readonly quasi: Located & { readonly expressions: readonly Located[] };
}
