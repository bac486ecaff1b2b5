import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/local-server/index.ts';
import { graphql } from './service-calls.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = await readFile(join(ROOT, 'docs/local-server.md'), 'utf8');
const readme = await readFile(join(ROOT, 'README.md'), 'utf8');

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

it('the page of the local server names every operation of its schema', async () => {
  const { data } = await graphql(
    server,
    '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
  );
  const { queryType, mutationType } = data.__schema;
  const names = [...queryType.fields, ...mutationType.fields].map(({ name }) => name as string);
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('the page names every path that takes events', async () => {
  const text = await (await fetch(`${server.url}/nowhere`)).text();
  const paths = [...text.matchAll(/^POST (\S+)$/gm)].map(([, path]) => path!);
  const taking = paths.filter((path) => /ingest|collector/.test(path) && !path.endsWith('/ack'));
  expect(taking.length).toBeGreaterThan(12);
  const words = page.replaceAll('…', '');
  const last = (path: string) => path.replace(/^.*(?=\/[^/]+$)/, '');
  expect(taking.filter((path) => !words.includes(last(path)))).toEqual([]);
});

it('the README names every method of the client', () => {
  const methods = Object.getOwnPropertyNames(LogClient.prototype).filter((name) => name !== 'constructor');
  expect(methods.length).toBeGreaterThan(40);
  expect(methods.filter((name) => !readme.includes(name))).toEqual([]);
});
