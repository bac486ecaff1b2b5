import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fields } from '../../src/engine/index.ts';
import { noReferenceData } from '../../src/engine/reference-data.ts';
import { check, format } from '../../src/language/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import type { LibraryContent } from '../engine/library.ts';
import { rowsOf } from '../engine/run-query.ts';
import { accessTo, runCommand } from '../helpers/cli-run.ts';
import { ATTACKS, everyday, LOCATIONS, NOW, textsOf } from './detection-events.ts';
import { blocksOf } from './markdown-blocks.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/detections.md'), 'utf8');
const blocks = blocksOf(page);
const queries = blocks.filter(({ language }) => language === 'lql');
const textOf = (title: string, language: string): string =>
  blocks.find((block) => block.title === title && block.language === language)!.text;
const attacks = Object.values(ATTACKS);
const harmless = [...everyday(), ...attacks.flatMap((attack) => attack.harmless)];

const referenceData = { ...noReferenceData, location: (address: string) => LOCATIONS.get(address) };

/** The rows of a query on these events in their order, as on a service. */
function found(query: string, events: readonly Fields[], library: LibraryContent = { referenceData }) {
  const ordered = events.toSorted((a, b) => Number(a['@timestamp']) - Number(b['@timestamp']));
  return rowsOf(query, ordered, { end: NOW, library }).map(textsOf);
}

describe('docs/detections.md', () => {
  it('has a query for each of ten attacks', () => {
    expect(queries.map(({ title }) => title)).toEqual(Object.keys(ATTACKS));
    expect(queries).toHaveLength(10);
  });

  it.each(queries)('finds exactly its attack among the others: $title', ({ title, text }) => {
    const { rows, events } = ATTACKS[title]!;
    const others = attacks.flatMap((attack) => (attack.events === events ? [] : attack.events));
    expect(found(text, [...harmless, ...others])).toEqual([]);
    expect(found(text, [...harmless, ...others, ...events])).toEqual(rows.map(textsOf));
  });

  it.each(queries)('has no problems and is formatted: $title', ({ text }) => {
    expect(check(text)).toEqual([]);
    expect(format(text).trim()).toBe(text.trim());
  });

  it('finds no new value that the lookup file has', () => {
    const title = '4. New value';
    const [filter] = /!match\(file="known\.csv".*?\)/.exec(page)!;
    const query = textOf(title, 'lql').replace('| groupBy', () => `| ${filter} | groupBy`);
    const { events, rows } = ATTACKS[title]!;
    const foundWith = (pair: string) =>
      found(query, events, { files: { 'known.csv': ['user.name,host.name', pair] } });
    expect(foundWith('bob,dc1')).toEqual([]);
    expect(foundWith('bob,pc-bob')).toEqual(rows.map(textsOf));
  });

  it('finds impossible travel by coordinates of the events if addresses have no locations', () => {
    const title = '6. Impossible travel';
    const { events, rows } = ATTACKS[title]!;
    const located = events.map((event) => {
      const { latitude, longitude } = LOCATIONS.get(event['source.ip'] as string)!;
      return { ...event, ...textsOf({ 'source.ip.lat': latitude, 'source.ip.lon': longitude }) };
    });
    expect(found(textOf(title, 'lql'), events, {})).toEqual([]);
    expect(found(textOf(title, 'lql'), located, {})).toEqual(rows.map(textsOf));
  });

  it('has commands that test, check, save and run a rule', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'logclient-detections-page-'));
    const before = process.cwd();
    process.chdir(folder);
    const server = await startLocalServer();
    onTestFinished(async () => {
      process.chdir(before);
      await Promise.all([server.close(), rm(folder, { recursive: true })]);
    });
    const title = 'Test, check and save a rule';
    await mkdir('detections');
    await writeFile('detections/encoded-command.lql', textOf('9. Encoded command line', 'lql'));
    await writeFile('detections/encoded-command.test.yaml', textOf(title, 'yaml'));
    const outputs: string[] = [];
    for (const line of textOf(title, 'sh').trim().split('\n')) {
      const [, command = ''] = /^npx logclient (.*)$/.exec(line)!;
      const words = [...command.matchAll(/'([^']*)'|"\$\(cat ([^)]*)\)"|(\S+)/g)].map(
        ([, quoted, file, bare]) => (file === undefined ? (quoted ?? bare!) : readFile(file, 'utf8')),
      );
      const { code, stdout, stderr } = await runCommand(await Promise.all(words), { env: accessTo(server) });
      expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
      outputs.push(stdout);
    }
    expect(outputs[0]).toBe('PASS detections/encoded-command.test.yaml (3 passed)\n');
    expect(outputs).toHaveLength(4);
  });
});
