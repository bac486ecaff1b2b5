import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FILES = ['src/client/log-client.ts', 'src/client/base-client.ts'];
const EXAMPLE = /@example\n\s+\* ```ts\n([\s\S]*?)\n\s+\* ```/g;

const examples = FILES.flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(EXAMPLE)].map(([, text]) =>
    text!.replace(/^\s+\* ?/gm, ''),
  ),
);

it('the @example blocks of the clients compile', () => {
  expect(examples.length).toBeGreaterThanOrEqual(30);
  const file = join(ROOT, 'docstring-examples.ts');
  const source = [
    "import { LogClient } from './src/index.ts';",
    'const client = new LogClient();',
    ...examples.map((text, index) => `export const example${index} = async () => {\n${text}\n};`),
  ].join('\n');
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const readFile = host.getSourceFile;
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, source, version) : readFile(name, version);
  const program = ts.createProgram([file], { ...options, noUnusedLocals: false }, host);
  const problems = program.getSemanticDiagnostics(program.getSourceFile(file));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});
