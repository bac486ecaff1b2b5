import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FreshProject } from '../fresh-project.ts';

/** By the folder of each, because all of them have the command `tsc`. */
const COMPILERS = ['5.6.3', '5.9.3', '6.0.3', '7.0.2'];

/** Uses and marked misuses of each entry, without imports. */
const USES = `
export async function use(): Promise<void> {
  const server: LocalServer = await startLocalServer({ repository: 'web' });
  const client = new LogClient({ baseUrl: server.url, repository: 'web', userToken: server.userToken });
  const rows = await client.query<{ service: string; _count: string }>('groupBy(service)', { start: '1h' });
  const names: string[] = rows.map((row) => row.service);
  for await (const event of client.tail(lql\`service=\${names[0]}\`)) console.log(event['@timestamp']);
  const ingest = new LogIngestClient({ baseUrl: server.url, ingestToken: server.ingestToken });
  const options: PinoTransportOptions = { tags: { service: 'shop' } };
  pino(pino.transport({ target: 'logclient/pino', options }));
  const stream = createPinoStream({ ...options, onDrop: ({ records }) => console.log(records.toFixed()) });
  winston.createLogger({ transports: [new LogTransport({ worker: false })] });
  const layer = new LayerTransport({ level: 'warn', onDrop: ({ events }) => console.log(events) });
  new LogLayer({ transport: [layer] }).info('hello');
  const restore = captureConsole({ tagFields: ['level'] });
  await restore.flush();
  await restore();
  const delivered: number = stream.stats.delivered;
  const query = print(parse('level=error | count()'));
  await ingest.ingestMessages([query]).catch((error: unknown) => {
    if (error instanceof LogHTTPException) console.log(error.statusCode.toFixed(), delivered);
  });
  captureLogs(pino());
  // @ts-expect-error a number is no address
  new LogClient({ baseUrl: 5 });
  // @ts-expect-error there is no such column
  rows[0]?.nothing;
  // @ts-expect-error a tag is a text
  createPinoStream({ tags: { service: 5 } });
}
`;

const NAMED = {
  logclient: ['LogClient', 'LogHTTPException', 'LogIngestClient', 'lql'],
  'logclient/pino': ['createPinoStream', 'type PinoTransportOptions'],
  'logclient/winston': ['LogTransport'],
  'logclient/loglayer': ['LogTransport as LayerTransport'],
  'logclient/console': ['captureConsole'],
  'logclient/next': ['createLogging'],
  'logclient/local-server': ['type LocalServer', 'startLocalServer'],
  'logclient/query-language': ['parse', 'print'],
  'logclient/testing': ['captureLogs'],
};

const IMPORTS = Object.entries(NAMED)
  .map(([entry, names]) => `import { ${names.join(', ')} } from '${entry}';`)
  .join('\n');

const LOGLAYER = `import { LogLayer } from 'loglayer';`;
const ESM = `${IMPORTS}\n${LOGLAYER}\nimport pino from 'pino';\nimport winston from 'winston';\n${USES}`;
const COMMONJS = `${IMPORTS}\n${LOGLAYER}\nimport pino = require('pino');\nimport winston = require('winston');\n${USES}`;

const STRICT = { strict: true, noEmit: true, target: 'es2022', types: ['node'], skipLibCheck: false };

const PROJECTS: Readonly<Record<string, object>> = {
  nodenext: { compilerOptions: { ...STRICT, module: 'nodenext' }, include: ['esm.mts', 'commonjs.cts'] },
  node16: { compilerOptions: { ...STRICT, module: 'node16' }, include: ['esm.mts', 'commonjs.cts'] },
  bundler: {
    compilerOptions: { ...STRICT, module: 'esnext', moduleResolution: 'bundler' },
    include: ['esm.mts'],
  },
};

describe('Types of every entry', { timeout: 60_000 }, () => {
  let project: FreshProject;

  beforeAll(async () => {
    project = await FreshProject.create(['pino', 'winston', 'loglayer', 'vitest', '@types/node']);
    await project.write('esm.mts', ESM);
    await project.write('commonjs.cts', COMMONJS);
    for (const [name, settings] of Object.entries(PROJECTS)) {
      await project.write(`${name}.json`, JSON.stringify(settings));
    }
    for (const version of COMPILERS) {
      await project.install('--prefix', join('compilers', version), `typescript@${version}`);
    }
  }, 180_000);

  afterAll(() => project.remove());

  it.each([
    ['5.6.3', 'bundler'],
    ['5.6.3', 'nodenext'],
    ['5.9.3', 'node16'],
    ['5.9.3', 'nodenext'],
    ['6.0.3', 'bundler'],
    ['6.0.3', 'nodenext'],
    ['7.0.2', 'bundler'],
    ['7.0.2', 'nodenext'],
  ])('accept correct use and reject misuse in TypeScript %s with %s', async (version, settings) => {
    const compiler = join('compilers', version, 'node_modules/typescript/bin/tsc');
    expect(await project.node(compiler, '-p', `${settings}.json`)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });
});
