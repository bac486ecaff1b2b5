import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');

/** Replaces the values in a text. */
export const GAP = '…';

/** A text in the source code. */
export interface SourceText {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Its first line in the file. */
  readonly line: number;
  /** With a gap for each value. */
  readonly text: string;
  /**
   * The function or class that the text is an argument of, directly or in a function; `report` in `warnings.report(…)`.
   * Also `return` for what a function returns.
   */
  readonly givenTo: readonly string[];
}

/** The texts in the code of folders, without docstrings and imports. */
export function sourceTexts(folders: readonly string[]): SourceText[] {
  return folders.flatMap((folder) => sourceFiles(folder)).flatMap(textsIn);
}

/** A comment in the source code. */
export type SourceComment = Pick<SourceText, 'file' | 'line' | 'text'>;

/** Blocks, lines, and the ends of lines. Lines that follow each other are one comment. */
const COMMENT = /\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*|(?<=[;,{})\]] )\/\/ .*$/gm;

/** The comments in the code of folders, without code in backticks. */
export function sourceComments(folders: readonly string[]): SourceComment[] {
  return folders
    .flatMap((folder) => sourceFiles(folder, /\.(?:tsx?|css)$/))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      return [...source.matchAll(COMMENT)].map(({ index, 0: comment }) => ({
        file: relative(ROOT, file),
        line: source.slice(0, index).split('\n').length,
        text: comment.replace(/^[ \t]*(?:\/\/|\/?\*+\/?)/gm, '').replace(/`[^`\n]+`/g, '``'),
      }));
    });
}

function sourceFiles(folder: string, names = /\.tsx?$/): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const parsedFiles = new Map<string, ts.SourceFile>();

/** The syntax tree of a file, which all readers share, because parsing takes most of their time. */
export function parsedFile(file: string): ts.SourceFile {
  const known = parsedFiles.get(file);
  const tree = known ?? ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  parsedFiles.set(file, tree);
  return tree;
}

const parsed = new Map<string, SourceText[]>();

function textsIn(file: string): SourceText[] {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const found: SourceText[] = [];
  parsed.set(file, found);
  const source = parsedFile(file);
  const visit = (node: ts.Node, givenTo: readonly string[]): void => {
    const text = textOf(node);
    if (text !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ file: relative(ROOT, file), line: line + 1, text, givenTo });
    }
    const called = calledIn(node);
    ts.forEachChild(node, (child) => visit(child, called === undefined ? givenTo : [...givenTo, called]));
  };
  visit(source, []);
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node)) return node.text;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(GAP);
}

function calledIn(node: ts.Node): string | undefined {
  if (ts.isReturnStatement(node)) return 'return';
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const { expression } = node;
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : undefined;
}
