import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode } from '../helpers/run-node.ts';
import { blocksOf, sessionOf } from './markdown-blocks.ts';

const blocks = blocksOf(
  await readFile(resolve(import.meta.dirname, '../../docs/testing-parsers.md'), 'utf8'),
);
const textOf = (title: string, language: string): string =>
  blocks.find((block) => block.title === title && block.language === language)!.text;
const sessions = blocks.filter(({ language, output }) => language === 'sh' && output !== undefined);

describe('Commands of docs/testing-parsers.md', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logclient-docs-'));
    await mkdir(join(folder, 'parsers'));
    await mkdir(join(folder, 'queries'));
    await writeFile(join(folder, 'parsers/shop.yaml'), textOf('Parsers', 'yaml'));
    await writeFile(join(folder, 'queries/errors.lql'), textOf('Queries', 'lql'));
    await writeFile(join(folder, 'queries/errors.test.yaml'), textOf('Queries', 'yaml'));
    await mkdir(join(folder, 'detections'));
    await writeFile(join(folder, 'detections/failed-logons.yml'), textOf('Tests beside a rule', 'yaml'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function run(lines: string): Promise<string> {
    const file = join(folder, 'session.mjs');
    await writeFile(file, `process.chdir(${JSON.stringify(folder)});\n${sessionOf(lines)}`);
    return (await runNode(file)).stdout;
  }

  it('appear once under Parsers, Queries and Tests beside a rule', () => {
    expect(sessions.map(({ title }) => title)).toEqual(['Parsers', 'Queries', 'Tests beside a rule']);
  });

  it.each(sessions)('print the output shown: $text', async ({ text, output }) => {
    expect(await run(text)).toBe(output);
  });

  it('print the failure shown if the parser is wrong', async () => {
    const path = join(folder, 'parsers/shop.yaml');
    await writeFile(path, textOf('Parsers', 'yaml').replace('lower(', 'upper('));
    const shown = blocks.filter(({ language }) => language === 'text')[1]!.text;
    expect(await run('npx logclient parsers test parsers || true')).toBe(shown);
  });

  it('print the step shown if a rule does not match its events', async () => {
    const rule = textOf('Tests beside a rule', 'yaml');
    await writeFile(
      join(folder, 'detections/failed-logons.yml'),
      rule.replace('{ EventID: 4625, TargetUser: eva }, ', ''),
    );
    const shown = blocks
      .filter(({ title, language }) => title === 'Tests beside a rule' && language === 'text')
      .at(-1)!;
    expect(await run('npx logclient queries test detections || true')).toBe(shown.text);
  });
});
