import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { functionSignatures } from './function-signatures.ts';

const FILE = new URL('../../src/query-language/functions/signatures.ts', import.meta.url).pathname;

test('the table of signatures has every function of the engine', async () => {
  const source = [
    '// Generated from the engine: npx vitest run test/query-engine/function-signatures.test.ts -u',
    "import type { FunctionSignature } from './signature.ts';",
    '',
    '/** The functions of the query language, by name. */',
    `export const SIGNATURES: readonly FunctionSignature[] = ${JSON.stringify(functionSignatures())};`,
    '',
  ].join('\n');
  const formatted = execFileSync('npx', ['biome', 'format', `--stdin-file-path=${FILE}`], {
    input: source,
    encoding: 'utf8',
  });
  await expect(formatted).toMatchFileSnapshot(FILE);
});
