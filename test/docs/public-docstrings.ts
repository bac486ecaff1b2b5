import { readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import ts from 'typescript';
import { parsedFile } from './source-texts.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A docstring as written in its file. */
export interface SourceDocstring {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Its first line in the file. */
  readonly line: number;
  readonly text: string;
}

/** The docstrings of all exports of the package's entries, and of their members. */
export function publicDocstrings(): SourceDocstring[] {
  const { entryPoints } = JSON.parse(readFileSync(join(ROOT, 'typedoc.json'), 'utf8'));
  const entries: string[] = entryPoints.map((entry: string) => join(ROOT, entry));
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    ROOT,
  );
  const settings = { ...options, types: [], noLib: true };
  const host = ts.createCompilerHost(settings);
  host.getSourceFile = parsedFile;
  // Only our own files: those of packages take most of the time, and have no docstrings of ours.
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => ({
      resolvedModule: text.startsWith('.')
        ? {
            resolvedFileName: join(dirname(from), text),
            extension: extname(text),
            isExternalLibraryImport: false,
          }
        : undefined,
    }));
  const program = ts.createProgram(entries, settings, host);
  const checker = program.getTypeChecker();
  const found = new Map<string, SourceDocstring>();
  for (const entry of entries) {
    for (const exported of checker.getExportsOfModule(
      checker.getSymbolAtLocation(program.getSourceFile(entry)!)!,
    )) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      for (const docstring of (symbol.declarations ?? []).flatMap(docstringsIn)) {
        found.set(`${docstring.file}:${docstring.line}`, docstring);
      }
    }
  }
  return [...found.values()];
}

/** The docstrings of a declaration and of its members; those in the bodies of functions are private. */
function docstringsIn(declaration: ts.Declaration): SourceDocstring[] {
  const source = declaration.getSourceFile();
  const found: SourceDocstring[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || isPrivate(node)) return;
    for (const doc of ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)) {
      if (doc.tags?.some(({ tagName }) => tagName.text === 'internal')) return;
      const { line } = source.getLineAndCharacterOfPosition(doc.getStart());
      found.push({ file: relative(ROOT, source.fileName), line: line + 1, text: doc.getText() });
    }
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found;
}

function isPrivate(node: ts.Node): boolean {
  return ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name);
}
