import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../../src/server/clock.ts';
import { LookupFiles } from '../../src/server/lookup-files/lookup-files.ts';
import { DiskFolder } from '../../src/server/node/disk-folder.ts';
import { DomainSettings } from '../../src/server/registries/domain-settings.ts';
import { IngestTokens } from '../../src/server/registries/ingest-tokens.ts';
import { Organizations } from '../../src/server/registries/organizations.ts';
import { Parsers } from '../../src/server/registries/parsers.ts';
import { Retention } from '../../src/server/registries/retention.ts';
import { SavedQueries } from '../../src/server/registries/saved-queries.ts';
import { Users } from '../../src/server/registries/users.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'logclient-resources-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

/** The options of a registry at each start of a server. */
function options() {
  return { clock: createClock(1_770_109_200_000), folder: DiskFolder.open(path) };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const storedFiles = () => readdirSync(join(path, 'lookup-files'));

describe('Registries after a restart', () => {
  it('keep the users and the same root user', () => {
    const users = new Users(options());
    const { id } = users.add({ email: 'ada@example.org' });
    users.update(id, { fullName: 'Ada L' });
    users.remove(users.add({ email: 'gone@example.org' }).id);
    const again = new Users(options());
    expect(again.list()).toEqual(users.list());
    expect(again.root).toEqual(users.root);
    expect(again.get(id)?.createdAt).toBe('2026-02-03T09:00:00.000Z');
  });

  it('keep the ingest tokens with their parsers', () => {
    const tokens = new IngestTokens(options());
    const { token } = tokens.add({ name: 'a', parser: 'kv' });
    tokens.add({ name: 'b' });
    tokens.remove('b');
    const again = new IngestTokens(options());
    expect(again.list()).toEqual([{ name: 'a', token, parser: 'kv' }]);
    expect(again.findBy('token', token)?.name).toBe('a');
  });

  it('keep the parsers', () => {
    const parsers = new Parsers(options());
    const { id } = parsers.create({ name: 'p', script: 'a := 1', fieldsToTag: ['a'] }, { overwrite: false });
    parsers.update(id, { script: 'a := 2' });
    parsers.remove(parsers.create({ name: 'gone', script: '*' }, { overwrite: false }).id);
    const again = new Parsers(options());
    expect(again.list()).toEqual([{ id, name: 'p', script: 'a := 2', fieldsToTag: ['a'] }]);
    expect(again.findBy('name', 'p')).toEqual(parsers.get(id));
  });

  it('keep the saved queries', () => {
    const queries = new SavedQueries(options());
    const { id } = queries.create({ name: 'q', queryString: '*', options: { deep: [1] } });
    expect(new SavedQueries(options()).get(id)).toEqual(queries.get(id));
  });

  it('keep organizations, descriptions and settings', () => {
    const { id } = new Organizations(options()).create({ name: 'Acme' });
    new DomainSettings(options()).change('shop', { description: 'what for', automaticSearch: false });
    expect(new Organizations(options()).list().map((organization) => organization.id)).toContain(id);
    expect(new DomainSettings(options()).get('shop')).toEqual({
      name: 'shop',
      description: 'what for',
      automaticSearch: false,
    });
  });

  it('keep lookup files byte for byte, and leave no obsolete files on disk', async () => {
    const files = new LookupFiles(options());
    await files.put('a.csv', bytes('x,y\r\n1,2\r\n'));
    await files.put('b.json', bytes('[{"n": 1}]'));
    files.create('c.csv');
    await files.put('a.csv', bytes('x\r\n3\r\n'));
    files.remove('b.json');
    const again = new LookupFiles(options());
    expect(again.list().map(({ name }) => name)).toEqual(['a.csv', 'c.csv']);
    expect(again.get('a.csv')).toMatchObject({
      contentHash: files.get('a.csv')!.contentHash,
      table: { rows: [['3']] },
    });
    expect(storedFiles()).toHaveLength(2);
  });
});

describe('Registries after a crash', () => {
  it('delete lookup file contents that are not listed', async () => {
    await new LookupFiles(options()).put('a.csv', bytes('x\n1\n'));
    writeFileSync(join(path, 'lookup-files', 'halfway.new'), 'x');
    expect(new LookupFiles(options()).list()).toHaveLength(1);
    expect(storedFiles()).toHaveLength(1);
  });

  it('fail with the file name when the content of a lookup file is missing or was accepted by another version', async () => {
    await new LookupFiles(options()).put('a.csv', bytes('x\n1\n'));
    const content = join(path, 'lookup-files', storedFiles()[0]!);
    const reason = (text: string): string =>
      `The lookup file "a.csv" (${content}) can't be read. ${text} Repair it, or remove its entry from ${join(path, 'lookup-files.json')}.`;
    writeFileSync(content, 'x\n1,2\n');
    const ragged =
      'Row 2 has 2 cells, but the header has 1. Add a column, or put cells that contain commas in double quotes.';
    expect(() => new LookupFiles(options())).toThrow(reason(ragged));
    rmSync(content);
    expect(() => new LookupFiles(options())).toThrow(reason('It is missing.'));
  });

  it('never read a lookup file from outside their folder', async () => {
    await new LookupFiles(options()).put('a.csv', bytes('x\n1\n'));
    const list = join(path, 'lookup-files.json');
    writeFileSync(join(path, 'secret'), 'x\nsecret\n');
    const [entry] = JSON.parse(readFileSync(list, 'utf8'));
    writeFileSync(list, JSON.stringify([{ ...entry, id: '../secret' }]));
    expect(() => new LookupFiles(options())).toThrow("can't be read. It is missing.");
  });

  it.each([
    ['users.json', '[{', /JSON/],
    ['users.json', '{"a":[1]}', /it is not a list/],
    ['users.json', 'null', /it is not a list/],
    [
      'users.json',
      '[{"id":"i","username":"u","createdAt":"c"},{"id":1}]',
      /in entry 2, "id" is not a string/,
    ],
    ['users.json', '["x"]', /in entry 1, it is not an object/],
    ['retention.json', '[]', /it is not an object/],
    ['retention.json', '{"timeBasedRetention":"5"}', /"timeBasedRetention" is not a number above 0/],
  ])('fail with the file name when %s is %s, and keep the file', (file, content, problem) => {
    writeFileSync(join(path, file), content);
    const open = () => (file === 'users.json' ? new Users(options()) : new Retention(options()));
    expect(open).toThrow(problem);
    expect(open).toThrow(`The state file ${join(path, file)} can't be read`);
    expect(readFileSync(join(path, file), 'utf8')).toBe(content);
  });
});
