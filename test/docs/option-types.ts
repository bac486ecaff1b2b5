import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { docstringOf } from './docstrings.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A member of an options type, with its docstring. */
export interface OptionMember {
  readonly name: string;
  readonly isRequired: boolean;
  /** Without `undefined`. */
  readonly type: string;
  /** The text after `@default`. */
  readonly fallback: string | undefined;
  readonly meaning: string;
  /** The file that declares it, relative to the root of the repository. */
  readonly file: string;
}

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/** A declaration and the file whose imports resolve its names. */
interface Found<Node extends ts.Node> {
  readonly node: Node;
  readonly file: string;
}

/**
 * Reads options types from their syntax alone, because a type checker takes seconds to load all packages. Supports the
 * type operators that this code uses: `extends`, `Omit` of names, `Type['member']`.
 */
export class OptionTypes {
  readonly #files = new Map<string, ts.SourceFile>();

  /** @returns the members in source order, those of the type itself before inherited ones. */
  membersOf(file: string, name: string): OptionMember[] {
    const found = this.#declaration(file, name);
    if (found === undefined) throw new Error(`${file} has no type ${name}.`);
    return this.#members(found);
  }

  #members({ node, file }: Found<Declaration>): OptionMember[] {
    if (!ts.isInterfaceDeclaration(node)) throw new Error(`${node.name.text} is not an interface.`);
    const own = node.members
      .filter(ts.isPropertySignature)
      .map((member) => this.#member({ node: member, file }));
    const parents = (node.heritageClauses ?? []).flatMap(({ types }) => types);
    const inherited = parents.flatMap((parent) => this.#parentMembers(parent, file));
    const names = new Set(own.map(({ name }) => name));
    return [...own, ...inherited.filter(({ name }) => !names.has(name))];
  }

  #parentMembers(parent: ts.ExpressionWithTypeArguments, file: string): OptionMember[] {
    const [base, names] = parent.typeArguments ?? [];
    const name = parent.expression.getText();
    if (base === undefined) return this.membersOf(file, name);
    if ((name !== 'Omit' && name !== 'Pick') || names === undefined)
      throw new Error(`Can't read ${parent.getText()} of ${file}.`);
    const named = new Set([...names.getText().matchAll(/'(\w+)'/g)].map((match) => match[1]));
    const isPicked = name === 'Pick';
    return this.membersOf(file, base.getText()).filter((member) => named.has(member.name) === isPicked);
  }

  #member({ node, file }: Found<ts.PropertySignature>): OptionMember {
    const { meaning, fallback, see } = docstringOf(node);
    const [type, member] = see?.split('.') ?? [];
    const isElsewhere = meaning === '' && type !== undefined && member !== undefined;
    const elsewhere = isElsewhere ? this.#named(file, type, member) : undefined;
    return {
      name: node.name.getText(),
      isRequired: node.questionToken === undefined,
      type: this.#typeText({ node: node.type!, file }),
      fallback: fallback ?? elsewhere?.fallback,
      meaning: elsewhere?.meaning ?? meaning,
      file,
    };
  }

  #named(file: string, type: string, member: string): OptionMember | undefined {
    return this.membersOf(file, type).find(({ name }) => name === member);
  }

  #typeText({ node, file }: Found<ts.TypeNode>): string {
    const text = (child: ts.TypeNode) => this.#typeText({ node: child, file });
    if (ts.isUnionTypeNode(node)) {
      return node.types
        .filter((type) => type.kind !== ts.SyntaxKind.UndefinedKeyword)
        .map(text)
        .join(' | ');
    }
    if (ts.isParenthesizedTypeNode(node))
      return ts.isFunctionTypeNode(node.type) ? oneLine(node.type) : text(node.type);
    if (ts.isTypeOperatorNode(node)) return `readonly ${text(node.type)}`;
    if (ts.isArrayTypeNode(node)) {
      const element = text(node.elementType);
      return element.includes('|') ? `(${element})[]` : `${element}[]`;
    }
    if (ts.isIndexedAccessTypeNode(node) && !node.objectType.getText().includes('.')) {
      const member = node.indexType.getText().replaceAll("'", '');
      return this.#named(file, node.objectType.getText(), member)!.type;
    }
    if (ts.isTypeReferenceNode(node)) return this.#choices(node, file) ?? oneLine(node);
    return oneLine(node);
  }

  /** The members of a union of literals, which say more than its name. */
  #choices(node: ts.TypeReferenceNode, file: string): string | undefined {
    if (node.typeArguments !== undefined || !ts.isIdentifier(node.typeName)) return undefined;
    const found = this.#declaration(file, node.typeName.text);
    if (found === undefined || !ts.isTypeAliasDeclaration(found.node)) return undefined;
    const { type } = found.node;
    if (ts.isTypeReferenceNode(type)) return this.#choices(type, found.file);
    const list = /^\(typeof (\w+)\)\[number\]$/.exec(type.getText())?.[1];
    if (list !== undefined) return this.#constants(found.file, list);
    const isPlain = (member: ts.TypeNode) => ts.isLiteralTypeNode(member) || ts.isToken(member);
    return ts.isUnionTypeNode(type) && type.types.every(isPlain)
      ? type.types.map((member) => member.getText()).join(' | ')
      : undefined;
  }

  /** The strings in a constant array, as a union. */
  #constants(file: string, list: string): string {
    const [, texts = ''] =
      new RegExp(`const ${list} = \\[([^\\]]*)\\] as const`).exec(this.#source(file).text) ?? [];
    return texts
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .join(' | ');
  }

  /** Resolves a type by its name in a file: declared there, or imported from another file of the repository. */
  #declaration(file: string, name: string): Found<Declaration> | undefined {
    const { statements } = this.#source(file);
    const node = statements.find(
      (statement): statement is Declaration =>
        (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) &&
        statement.name.text === name,
    );
    if (node !== undefined) return { node, file };
    const target = statements
      .filter(ts.isImportDeclaration)
      .find((statement) => namesOf(statement).includes(name));
    const specifier = target?.moduleSpecifier.getText().slice(1, -1);
    if (specifier?.startsWith('.') !== true) return undefined;
    return this.#declaration(join(dirname(file), specifier), name);
  }

  #source(file: string): ts.SourceFile {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(join(ROOT, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    this.#files.set(file, source);
    return source;
  }
}

/** The text of a type on one line, because a row of a table ends with its line. */
function oneLine(node: ts.Node): string {
  const line = node.getText().replaceAll(/\s*\n\s*/g, ' ');
  return line.replaceAll('( ', '(').replaceAll(', )', ')');
}

function namesOf({ importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
  return bindings.elements.map(({ name }) => name.text);
}
