import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  HEADER_NAMES,
  KEPT_TOKENS,
  PASSWORD_ENDINGS,
  PATTERNS,
} from '../../src/core/secrets/secret-table.ts';
import { NAMES } from '../core/secrets/promises.ts';

const PAGE = join(import.meta.dirname, '../../docs/redaction.md');
/** The text above this line is handwritten. */
const MARKER = '<!-- Below: npx vitest run test/docs/redaction-page.test.ts -u -->';

/** Names as code, each as in its first example. */
function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${NAMES[name]!.found[0]}\``).join(', ');
}

function lists(): string {
  const services = PATTERNS.filter(({ kind }) => kind === 'cloudToken').map(({ name }) => name);
  return [
    '## Names of fields\n',
    'Case and the separators `_`, `-`, `.` and space make no difference.\n',
    `- \`authorization\`, as whole names: ${listOf(HEADER_NAMES)}`,
    `- \`password\`, at the end of a name, also with digits after it: ${listOf(PASSWORD_ENDINGS)}`,
    `- Not these before \`token\`: ${KEPT_TOKENS.map((word) => `\`${word}\``).join(', ')}\n`,
    '## Tokens of services\n',
    `By their form, as of November 2026: ${[...new Set(services)].sort((one, other) => one.localeCompare(other, 'en')).join(', ')}.\n`,
  ].join('\n');
}

it('docs/redaction.md lists the names and the services that are found', async () => {
  const [handWritten = ''] = readFileSync(PAGE, 'utf8').split(MARKER);
  await expect(`${handWritten}${MARKER}\n\n${lists()}`).toMatchFileSnapshot(PAGE);
});
