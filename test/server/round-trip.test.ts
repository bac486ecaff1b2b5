import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { anyCharacter, cases } from '../helpers/laws.ts';
import { jsonValues } from './json-values.ts';
import { post, type Row, runJob, stream } from './query-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);
const TIME = NOW - 1000;
/** Enough events to be stored as the text of their request. */
const MANY = 40;

let folder: string;
let server: LocalServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'round-trip-'));
  server = await start();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function start(): Promise<LocalServer> {
  return startLocalServer({ listen: false, now: NOW, dataDir: folder });
}

/** How to send a document so that its members become fields. It has a member `#mark`. */
const ENDPOINTS: Readonly<Record<string, (document: string) => [path: string, body: string]>> = {
  structured: (document) => ['ingest/humio-structured', structured(document)],
  'structured, many at once': (document) => [
    'ingest/humio-structured',
    structured(...Array(MANY).fill(document)),
  ],
  'structured, with whitespace': (document) => [
    'ingest/humio-structured',
    JSON.stringify(JSON.parse(structured(document)), undefined, 2),
  ],
  json: (document) => ['ingest/json', document],
  messages: (document) => [
    'ingest/humio-unstructured',
    JSON.stringify([{ type: 'json', messages: [document] }]),
  ],
  hec: (document) => ['ingest/hec', `{"time":${TIME / 1000},"event":${document}}`],
  'hec, as text': (document) => ['ingest/hec', JSON.stringify({ sourcetype: 'json', event: document })],
  'elastic-bulk': (document) => [
    'ingest/elastic-bulk',
    `{"create":{}}\n${document.replace('{', `{"@timestamp":${TIME},`)}\n`,
  ],
};

function structured(...documents: readonly string[]): string {
  const events = documents.map((attributes) => `{"timestamp":${TIME},"attributes":${attributes}}`);
  return `[{"events":[${events}]}]`;
}

const name = fc.oneof(
  fc.constantFrom(
    'a',
    'a.b',
    'x[0]',
    '',
    '7',
    '@x',
    '#k',
    '@host',
    '#',
    '__proto__',
    'constructor',
    'toString',
  ),
  fc.constantFrom('ä"', 'a b', 'a\nb', '\u0000', '\u2028', '🙂', 'a=b', '_count', 'timezone'),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
);
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.constantFrom(
    '"',
    '\\',
    '\n',
    '\u0000',
    '\ud800',
    '\udc00x',
    '1e3',
    '007',
    '-0',
    'null',
    '*',
    '\ufeff',
    '\r\n',
  ),
);
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
const value = jsonValues({ name, text, number });
const document = fc.dictionary(name, value, { maxKeys: 5 });

/** The fields of a value, by the service's rules. */
function fieldsOf(
  value: unknown,
  name: string | undefined,
  fields: Map<string, string>,
): Map<string, string> {
  if (typeof value !== 'object' || value === null) {
    fields.set(name ?? '', typeof value === 'string' ? value : JSON.stringify(value));
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) fieldsOf(item, `${name}[${index}]`, fields);
  } else {
    for (const [key, member] of Object.entries(value))
      fieldsOf(member, name === undefined ? key : `${name}.${key}`, fields);
  }
  return fields;
}

const OWN = /^(?:@(?:timestamp(?:\.nanos)?|id|ingesttimestamp|timezone|rawstring)|#(?:repo|type))$/;

function clientFields(row: Row): Map<string, unknown> {
  return new Map(Object.entries(row).filter(([field]) => !OWN.test(field)));
}

it('fields sent to any ingest endpoint are unchanged in query jobs, streams and after a restart', async () => {
  const sent: { readonly mark: string; readonly rows: readonly Row[] }[] = [];
  await fc.assert(
    fc.asyncProperty(document, async (members) => {
      for (const [endpoint, request] of Object.entries(ENDPOINTS)) {
        const mark = `m${sent.length}`;
        const marked = JSON.stringify({ ...members, '#mark': mark });
        const [path, body] = request(marked);
        const response = await post(server, path, body, { token: server.ingestToken });
        expect(response.status, endpoint).toBe(200);
        const wanted = fieldsOf(JSON.parse(marked), undefined, new Map());
        const rows = await stream(server, `#mark=${mark}`);
        expect(rows, endpoint).toHaveLength(endpoint.endsWith('many at once') ? MANY : 1);
        for (const row of rows.slice(0, 2)) expect(clientFields(row), endpoint).toEqual(wanted);
        expect((await runJob(server, `#mark=${mark}`)).events, endpoint).toEqual(rows.toReversed());
        sent.push({ mark, rows });
      }
    }),
    cases(4),
  );
  await server.close();
  server = await start();
  for (const { mark, rows } of sent) expect(await stream(server, `#mark=${mark}`)).toEqual(rows);
});
