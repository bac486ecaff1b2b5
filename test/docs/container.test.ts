import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { blocksOf } from './markdown-blocks.ts';

const blocks = blocksOf(readFileSync(join(import.meta.dirname, '../../docs/container.md'), 'utf8'));
const textOf = (language: string): string => blocks.find((block) => block.language === language)!.text;

it('docs/container.md starts Node directly, and gets the token from the secret that it creates', () => {
  expect(textOf('dockerfile')).toMatch(/^CMD \["node", /m);
  const { containers, terminationGracePeriodSeconds } = parse(textOf('yaml')).spec.template.spec;
  // The longest delivery at exit takes 9 s.
  expect(terminationGracePeriodSeconds).toBeGreaterThan(9);
  expect(containers[0].env).toContainEqual({
    name: 'LOGSCALE_INGEST_TOKEN',
    valueFrom: { secretKeyRef: { name: 'logscale', key: 'ingest-token' } },
  });
  const [, name, key] = /create secret generic (\S+) --from-literal=([\w-]+)=/.exec(textOf('shell'))!;
  expect([name, key]).toEqual(['logscale', 'ingest-token']);
});
