import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { clientMethods } from '../helpers/client-methods.ts';
import { graphql } from './service-calls.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = await readFile(join(ROOT, 'docs/local-server-api.md'), 'utf8');
const querying = await readFile(join(ROOT, 'docs/querying.md'), 'utf8');
const maintenance = await readFile(join(ROOT, 'docs/maintenance.md'), 'utf8');

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

it('docs/local-server-api.md names every operation of the GraphQL schema', async () => {
  const { data } = await graphql(
    server,
    '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
  );
  const { queryType, mutationType } = data.__schema;
  const names = [...queryType.fields, ...mutationType.fields].map(({ name }) => name as string);
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('docs/local-server-api.md names every path that accepts events', async () => {
  const text = await (await fetch(`${server.url}/nowhere`)).text();
  const paths = [...text.matchAll(/^POST (\S+)$/gm)].map(([, path]) => path!);
  const taking = paths.filter(
    (path) => /ingest|collector/.test(path) && !/\/(ack|traces|metrics)$/.test(path),
  );
  expect(taking.length).toBeGreaterThan(12);
  const words = page.replaceAll('…', '');
  const last = (path: string) => path.replace(/^.*(?=\/[^/]+$)/, '');
  expect(taking.filter((path) => !words.includes(last(path)))).toEqual([]);
});

it.each([
  ['fields per event', 'ingest/event-builder.ts', 'MAX_FIELDS = '],
  ['nesting levels in an event', 'ingest/flatten.ts', 'MAX_DEPTH = '],
  ['events that a parser can produce from one event', 'ingest/script-parser.ts', 'MAX_EVENTS = '],
  ['concurrent query jobs', 'queries/job-runner.ts', 'MAX_JOBS = '],
  ['size of a lookup file', 'lookup-files/lookup-files.ts', 'MAX_LOOKUP_FILE_BYTES = '],
  ['lookup files per repository', 'lookup-files/lookup-files.ts', 'max: '],
  ['saved queries per repository or view', 'registries/saved-queries.ts', 'max: '],
  ['parsers per repository', 'registries/parsers.ts', 'max: '],
  ['ingest tokens per repository', 'registries/ingest-tokens.ts', 'max: '],
  ['users', 'registries/users.ts', 'max: '],
  ['views', 'search-domains.ts', 'max: '],
  ['nesting levels in a GraphQL operation', 'graphql/limits.ts', 'MAX_DEPTH = '],
])('docs/local-server-api.md states the limit in the code: %s', async (what, file, before) => {
  const code = await readFile(join(ROOT, 'src/server', file), 'utf8');
  const [, told] = new RegExp(`^\\| ${what} \\| ([\\d,]+)`, 'm').exec(page) ?? [];
  const [, kept] = new RegExp(`\\b${before}([\\d_]+)`).exec(code) ?? [];
  expect(Number(told?.replaceAll(',', ''))).toBe(Number(kept?.replaceAll('_', '')));
});

it('docs/local-server-api.md names the version of the server', async () => {
  const { version } = (await (await fetch(`${server.url}/api/v1/status`)).json()) as { version: string };
  expect(page).toContain(`\`${version}\``);
});

it('docs/querying.md and docs/maintenance.md name every method of LogClient', () => {
  const methods = clientMethods();
  expect(methods.length).toBeGreaterThan(40);
  expect(methods.filter((name) => !`${querying}${maintenance}`.includes(name))).toEqual([]);
});
