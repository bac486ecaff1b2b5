import { beforeAll, describe, expect, it } from 'vitest';
import { SimulatedClock } from '../../bench/simulation/clock.ts';
import { type DiskCall, type DiskFault, SimulatedDisk } from '../../bench/simulation/simulated-disk.ts';
import { logscaleApp } from '../../src/server/app.ts';
import { createClock } from '../../src/server/clock.ts';
import { requestReader } from '../../src/server/ingest/request-reader.ts';
import { DEFAULT_LIMITS, type ResolvedLocalServerOptions } from '../../src/server/local-server-options.ts';
import { logscaleAccess } from '../../src/server/logscale-access.ts';
import { DiskFolder } from '../../src/server/node/disk-folder.ts';
import { EventLog } from '../../src/server/node/event-log.ts';
import { zlibDecompression } from '../../src/server/node/zlib-decompression.ts';
import { Repositories } from '../../src/server/repositories.ts';
import type { ServerHost } from '../../src/server/server-context.ts';
import { closeCore, openCore } from '../../src/server/server-core.ts';
import { EventStore } from '../../src/server/store/event-store.ts';
import { lawCases } from '../helpers/laws.ts';
import type { GraphqlTestAnswer } from './service-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);
const DAY_MS = 86_400_000;
const USER_TOKEN = 'the-user-token';

const OPTIONS: ResolvedLocalServerOptions = {
  ...DEFAULT_LIMITS,
  port: 0,
  host: '127.0.0.1',
  allowedHosts: [],
  listen: false,
  ngsiem: false,
  repository: 'sandbox',
  repositories: [],
  referenceData: {},
  userToken: USER_TOKEN,
  now: NOW,
  onWarning: () => {},
};

type Call = readonly [path: string, body: string | FormData];

interface Server {
  call(call: Call): Promise<Response>;
  /** All that users can see, without random parts. */
  state(): Promise<unknown>;
  close(): void;
}

/** A server as a new process on the disk. */
function serverOn(disk: SimulatedDisk): Server {
  const { maxEvents, maxBytes, onWarning } = OPTIONS;
  const folder = DiskFolder.open('/data', disk.startProcess());
  const clock = createClock(NOW);
  const repositories = new Repositories({
    clock,
    folder: folder.subfolder('repositories'),
    openStore: (events) => {
      const readRequest = requestReader();
      const log = new EventLog({ folder: events as DiskFolder, maxEvents, maxBytes, readRequest, onWarning });
      return new EventStore({ maxEvents, maxBytes, log });
    },
  });
  const host: ServerHost = {
    options: OPTIONS,
    clock,
    folder,
    repositories,
    referenceData: {} as never,
    closing: new AbortController().signal,
    heap: () => ({ used: 0, limit: 1 }),
    fileIdleMs: 1,
  };
  const { userToken } = logscaleAccess(host);
  const core = openCore(host);
  const app = logscaleApp(core, userToken);
  const call = async ([path, body]: Call): Promise<Response> => {
    const headers: Record<string, string> = { authorization: `Bearer ${USER_TOKEN}` };
    if (typeof body === 'string') headers['content-type'] = 'application/json';
    const request = new Request(`http://localhost${path}`, { method: 'POST', body, headers });
    return app.fetch(request, { bodyScript: {}, decompression: zlibDecompression });
  };
  const state = async (): Promise<unknown> => {
    const { data, errors } = (await (await call(graphql(STATE))).json()) as GraphqlTestAnswer;
    expect(errors).toBeUndefined();
    data.searchDomains.sort((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1));
    const events = core.repositories.list().map(({ name, store }) => [name, store.count]);
    return { data, events: Object.fromEntries(events) };
  };
  return { call, state, close: () => closeCore(core) };
}

function graphql(query: string): Call {
  return ['/graphql', JSON.stringify({ query })];
}

const DOMAIN =
  'name description automaticSearch savedQueries { name } files { nameAndPath { name } contentHash }';
const STATE = `{
  users { username email fullName isRoot }
  organizations { name }
  searchDomains {
    ${DOMAIN}
    ... on Repository {
      timeBasedRetention storageSizeBasedRetention
      ingestTokens { name parser { name } }
      parsers { name script }
    }
    ... on View { connections { filter repository { name } } }
  }
}`;

function ingest(repository: string, ages: readonly number[]): Call {
  const events = ages.map((days) => ({ timestamp: NOW - days * DAY_MS, attributes: { days } }));
  return [`/api/v1/repositories/${repository}/ingest`, JSON.stringify([{ events }])];
}

function upload(name: string, content: string): Call {
  const form = new FormData();
  form.set('file', new Blob([content]), name);
  return ['/api/v1/repositories/sandbox/files', form];
}

const mutation = (text: string): Call => graphql(`mutation { ${text} }`);

/** Creates a parser or replaces it. */
function parser(name: string, script: string): Call {
  return mutation(
    `createParserV2(input: {name: "${name}", repositoryName: "sandbox", script: "${script}", testCases: [], fieldsToTag: [], fieldsToBeRemovedBeforeParsing: [], allowOverwritingExistingParser: true}) { id }`,
  );
}

/** The requests before each case: each list of the state has an entry. */
const BEFORE: readonly Call[] = [
  mutation('addUserV2(input: {username: "ada", email: "ada@example.org"}) { __typename }'),
  mutation('addIngestTokenV3(input: {repositoryName: "sandbox", name: "shipper", parser: "kv"}) { name }'),
  mutation('createRepository(name: "other", description: "Another") { repository { name } }'),
  mutation(
    'createView(name: "both", description: "Both", connections: [{repositoryName: "other", filter: "*"}]) { name }',
  ),
  mutation('createSavedQuery(input: {name: "q", viewName: "both", queryString: "*"}) { savedQuery { id } }'),
  parser('p', 'a := 1'),
  upload('known.csv', 'a,b\n1,2\n'),
  ingest('sandbox', [10, 3, 1]),
  ingest('other', [2]),
];

const CASES: Readonly<Record<string, Call>> = {
  'adds a user': mutation('addUserV2(input: {username: "grace"}) { __typename }'),
  'changes a user': mutation('updateUser(input: {username: "ada", fullName: "Ada L."}) { __typename }'),
  'removes a user': mutation('removeUser(input: {username: "ada"}) { __typename }'),
  'adds an ingest token': mutation(
    'addIngestTokenV3(input: {repositoryName: "sandbox", name: "t"}) { name }',
  ),
  'removes an ingest token': mutation(
    'removeIngestToken(repositoryName: "sandbox", name: "shipper") { __typename }',
  ),
  'assigns a parser to an ingest token': mutation(
    'assignParserToIngestTokenV2(input: {repositoryName: "sandbox", tokenName: "shipper", parser: "p"}) { name }',
  ),
  'sets automatic searching': mutation(
    'setAutomaticSearching(name: "other", automaticSearch: false) { automaticSearch }',
  ),
  'creates an empty lookup file': mutation('newFile(name: "sandbox", fileName: "e.csv") { limit }'),
  'edits a lookup file': mutation(
    'updateFile(name: "sandbox", fileName: "known.csv", changedRows: [["7", "8"]], headers: [], columnChanges: []) { limit }',
  ),
  'creates a repository': mutation(
    `createRepository(name: "new", description: "New", retentionInMillis: ${DAY_MS}) { repository { name } }`,
  ),
  'deletes a repository': mutation('deleteSearchDomain(name: "other") { __typename }'),
  'creates a view': mutation(
    'createView(name: "view", description: "V", connections: [{repositoryName: "sandbox", filter: "*"}]) { name }',
  ),
  'changes a view': mutation(
    'updateView(viewName: "both", connections: [{repositoryName: "sandbox", filter: "a=*"}]) { name }',
  ),
  'deletes a view': mutation('deleteSearchDomain(name: "both") { __typename }'),
  'changes a retention': mutation(
    'updateRetention(repositoryName: "sandbox", timeBasedRetention: 5) { __typename }',
  ),
  'changes a description': mutation(
    'updateDescriptionForSearchDomain(name: "other", newDescription: "Changed") { __typename }',
  ),
  'creates a saved query': mutation(
    'createSavedQuery(input: {name: "r", viewName: "sandbox", queryString: "*"}) { savedQuery { id } }',
  ),
  'creates a parser': parser('new', 'b := 2'),
  'replaces a parser': parser('p', 'a := 3'),
  'creates an organization': mutation('createEmptyOrganization(name: "org") { name }'),
  'uploads a lookup file': upload('new.csv', 'a\n1\n'),
  'replaces a lookup file': upload('known.csv', 'a,b\n3,4\n'),
  'removes a lookup file': mutation('removeFile(name: "sandbox", fileName: "known.csv") { __typename }'),
  'deletes all events': mutation(
    `redactEvents(input: {repositoryName: "sandbox", query: "*", start: "2000-01-01T00:00:00Z", end: "2100-01-01T00:00:00Z"})`,
  ),
  'deletes some events': mutation(
    `redactEvents(input: {repositoryName: "sandbox", query: "*", start: "2000-01-01T00:00:00Z", end: "2026-01-31T00:00:00Z"})`,
  ),
  'stores events': ingest('sandbox', [2, 1]),
};

function emptyDisk(seed: number): SimulatedDisk {
  let state = seed;
  const random = (): number => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return new SimulatedDisk({ clock: new SimulatedClock(), random });
}

let model: SimulatedDisk;
beforeAll(async () => {
  model = emptyDisk(1);
  const server = serverOn(model);
  for (const call of BEFORE) expect(await isAcknowledged(server, call)).toBe(true);
  server.close();
});

/** A copy of a disk with the state before each case. */
function preparedDisk(seed: number): SimulatedDisk {
  const disk = emptyDisk(seed);
  const [from, to] = [model.startProcess(), disk.startProcess()];
  const copy = (path: string): void => {
    to.makeFolder(path);
    for (const { name, isDirectory } of from.list(path)) {
      const inner = `${path}/${name}`;
      if (isDirectory()) copy(inner);
      else {
        const descriptor = to.open(inner, 'create');
        const bytes = from.readFile(inner);
        to.write(descriptor, bytes, 0, bytes.length, null);
        to.sync(descriptor);
        to.close(descriptor);
      }
    }
    to.syncFolder(path);
  };
  copy('/data');
  to.syncFolder('/');
  return disk;
}

async function isAcknowledged(server: Server, call: Call): Promise<boolean> {
  const response = await server.call(call);
  const text = await response.text();
  return response.status === 200 && !text.includes('"errors"');
}

async function stateAfterRestart(disk: SimulatedDisk): Promise<unknown> {
  disk.faultOf = () => undefined;
  const server = serverOn(disk);
  try {
    return await server.state();
  } finally {
    server.close();
  }
}

/** Makes one call of the disk fail. @returns a function that returns the faulty call, if it came to that */
function failAt(disk: SimulatedDisk, step: number, fault: DiskFault): () => DiskCall | undefined {
  let calls = 0;
  let failed: DiskCall | undefined;
  disk.faultOf = (call) => {
    if (calls++ !== step) return undefined;
    failed = call;
    return fault;
  };
  return () => failed;
}

interface States {
  readonly before: unknown;
  readonly after: unknown;
  /** The disk calls to try, by number. */
  readonly steps: readonly number[];
}

const known = new Map<Call, Promise<States>>();

/** The states without and with a request, and the disk calls that it makes. */
function statesOf(call: Call): Promise<States> {
  if (!known.has(call)) known.set(call, findStates(call));
  return known.get(call)!;
}

async function findStates(call: Call): Promise<States> {
  const disk = preparedDisk(1);
  const server = serverOn(disk);
  const before = await server.state();
  let steps = 0;
  disk.faultOf = () => {
    steps++;
    return undefined;
  };
  expect(await isAcknowledged(server, call)).toBe(true);
  const after = await server.state();
  server.close();
  expect(after).not.toEqual(before);
  expect(await stateAfterRestart(disk)).toEqual(after);
  return { before, after, steps: lawCases([...Array(steps).keys()], 2) };
}

describe('The state of a server in memory and on disk is what was acknowledged', () => {
  it.each(Object.entries(CASES))('when any disk call fails while it %s', async (_, call) => {
    const { before, after, steps } = await statesOf(call);
    for (const step of steps) {
      const disk = preparedDisk(step + 1);
      const server = serverOn(disk);
      const faulty = failAt(disk, step, { code: 'EIO' });
      const expected = (await isAcknowledged(server, call)) ? after : before;
      const where = `${faulty()?.name} ${faulty()?.path}`;
      disk.faultOf = () => undefined;
      expect([where, await server.state()]).toEqual([where, expected]);
      server.close();
      expect([where, await stateAfterRestart(disk)]).toEqual([where, expected]);
      const again = serverOn(disk);
      if (expected === before) expect([where, await isAcknowledged(again, call)]).toEqual([where, true]);
      again.close();
      expect(disk.filesIn('/data').filter((path) => path.endsWith('.new'))).toEqual([]);
    }
  });

  it.each(Object.entries(CASES))('when the process ends at any disk call while it %s', async (name, call) => {
    const { before, after, steps } = await statesOf(call);
    for (const step of steps) {
      const disk = preparedDisk(step + 1);
      const server = serverOn(disk);
      failAt(disk, step, 'ends halfway');
      await isAcknowledged(server, call);
      server.close();
      const found = await stateAfterRestart(disk);
      // Half of the events of a request that was not acknowledged may be stored.
      if (name !== 'stores events') expect([before, after]).toContainEqual(found);
    }
  });

  it.each(Object.entries(CASES))('when the power fails after it %s', async (name, call) => {
    const { after } = await statesOf(call);
    const disk = preparedDisk(7);
    const server = serverOn(disk);
    expect(await isAcknowledged(server, call)).toBe(true);
    server.close();
    disk.crash();
    const found = (await stateAfterRestart(disk)) as { data: unknown };
    // The loss of power can lose events, as documented.
    if (name !== 'stores events') expect(found.data).toEqual((after as { data: unknown }).data);
  });
});
