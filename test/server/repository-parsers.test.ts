import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyLibrary } from '../../src/engine/index.ts';
import { BUILT_IN_PARSERS } from '../../src/server/ingest/built-in-parsers.ts';
import { RepositoryParsers } from '../../src/server/ingest/repository-parsers.ts';
import { DiskFolder } from '../../src/server/node/disk-folder.ts';
import { Parsers } from '../../src/server/registries/parsers.ts';
import { anyCharacter, cases } from '../helpers/laws.ts';

const NOW = 1_770_109_200_000;

let path: string;
let own: Parsers;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'logclient-parsers-'));
  own = new Parsers({ folder: DiskFolder.open(path) });
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

function parse(name: string, text: string) {
  const event = { '@timestamp': String(NOW), '@rawstring': text };
  return new RepositoryParsers(own, emptyLibrary).parse(name, event, { now: NOW, hasTime: false });
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string(),
  fc
    .array(
      fc.constantFrom(
        ...[
          '<34>',
          '1 ',
          '-',
          ' ',
          'Feb  2 10:00:00',
          '2026-02-03T10:00:00Z',
          'host',
          'app[1]:',
          '[a b="c"]',
          '"',
          '\\',
        ],
        ...['{"a":', '}', '[', ']', '1', 'k=v', "k='", ',', '\n', '10.0.0.1 - - [', 'GET /'],
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join('')),
);

test.each(BUILT_IN_PARSERS.map(({ name }) => name))('%s makes exactly one event from any text', (name) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const rows = parse(name, text);
      expect(rows).toHaveLength(1);
      expect(rows[0]!['@rawstring']).toBe(text);
      expect(Number(rows[0]!['@timestamp'])).toBeGreaterThanOrEqual(0);
      expect(Object.values(rows[0]!).every((value) => typeof value === 'string')).toBe(true);
    }),
    cases(80),
  );
});

test('a stored parser with an unknown function keeps events and sets @error', () => {
  own.create({ name: 'old', script: 'noSuchFunction()' }, { overwrite: false });
  expect(parse('old', 'text')).toEqual([
    {
      '@timestamp': String(NOW),
      '@rawstring': 'text',
      '@error': 'true',
      '@event_parsed': 'false',
      '@error_msg': 'The parser "old" is invalid. There is no function "noSuchFunction" (line 1, column 1).',
    },
  ]);
});

test('an updated parser is used for the next event', () => {
  const { id } = own.create({ name: 'p', script: 'a := 1' }, { overwrite: false });
  expect(parse('p', 'x')[0]).toMatchObject({ a: '1' });
  own.update(id, { script: 'a := 2' });
  expect(parse('p', 'x')[0]).toMatchObject({ a: '2' });
});

// Quadratic work would take minutes, and the time limit of a test is 30 s.
test('syslog lines are parsed in linear time', () => {
  const lines = Array.from(
    { length: 500 },
    (_, index) => `<34>Feb  2 22:14:15 mail su[${index}]: user=bob ${'x '.repeat(50)}`,
  );
  const parsers = new RepositoryParsers(own, emptyLibrary);
  for (const line of [...lines, `<1>1 - - - - - [a b="${'\\"'.repeat(500_000)}`]) {
    parsers.parse('syslog', { '@timestamp': String(NOW), '@rawstring': line }, { now: NOW, hasTime: false });
  }
});
