import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { functionNames } from '../../src/query-engine/index.ts';
import { functionDocs } from './function-docs.ts';

const FILE = new URL('../../docs/query-language.md', import.meta.url);
/** What stands above this line is written by hand. */
const MARKER = '<!-- Below: npx vitest run test/query-engine/function-docs.test.ts -u -->';

test('docs/query-language.md tells what the registry of functions says', async () => {
  const [handWritten = ''] = readFileSync(FILE, 'utf8').split(MARKER);
  const text = `${handWritten}${MARKER}\n\n${functionDocs(functionNames())}\n`;
  await expect(text).toMatchFileSnapshot(FILE.pathname);
});
