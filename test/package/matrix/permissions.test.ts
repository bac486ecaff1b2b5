import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { describeInstalled, FreshProject, type Outcome, ROOT } from '../fresh-project.ts';

const NODES = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'];
const TEN = Array.from({ length: 10 }, (_, index) => index + 1);
const DENIED = 'Access to this API has been restricted';

const project = await FreshProject.create(['pino', 'winston']);
await copyFile(join(ROOT, 'test/fixtures/platform-app.mjs'), join(project.path, 'app.mjs'));
let sink: IngestSink;

afterAll(() => project.remove());

beforeEach(async () => {
  sink = await IngestSink.open();
  onTestFinished(() => sink.close());
});

/** @param folder of the installed Node */
function describePermissions(version: string, folder: string): void {
  /** Only later versions deny connections, and only they know the flag. */
  const hasNet = version.startsWith('26.');
  const net = hasNet ? ['--allow-net'] : [];
  const isExperimental = version.startsWith('20.');
  const denied = isExperimental ? `${DENIED}.` : `${DENIED}. Use --allow-worker to manage permissions.`;
  const inProcess = `logclient: Records are delivered from the main thread instead of a worker: ${denied}\n`;
  const node = join(folder, 'node_modules/node/bin/node');

  /** @param settings the logging, and other variables of the program. */
  const run = (settings: string, ...flags: string[]): Promise<Outcome> => {
    const service = ['LOGCLIENT_DISCOVERY=off', `LOGSCALE_URL=${sink.url}`, 'LOGSCALE_INGEST_TOKEN=token'];
    const warnings = ['--disable-warning=SecurityWarning', '--disable-warning=ExperimentalWarning'];
    const permission = isExperimental ? '--experimental-permission' : '--permission';
    const command = [...warnings, permission, '--allow-fs-read=*', ...flags, 'app.mjs'];
    return project.run('env', ...service, ...`LOGGING=${settings}`.split(' '), node, ...command);
  };
  const numbers = (): unknown[] => sink.events.map(({ attributes }) => attributes.n);

  it.each(['createPinoTransport', 'winston', 'pino.transport'])(
    '%s delivers all records with --allow-worker',
    async (logging) => {
      expect(await run(logging, '--allow-worker', ...net)).toMatchObject({ code: 0 });
      expect(numbers()).toEqual(TEN);
    },
  );

  it.each(['createPinoTransport', 'winston'])(
    '%s delivers all records in-process without --allow-worker, and says why',
    async (logging) => {
      expect(await run(logging, ...net)).toEqual({ code: 0, stdout: '', stderr: inProcess });
      expect(numbers()).toEqual(TEN);
    },
  );

  it('process.exit() reports the records that it drops without --allow-worker', async () => {
    const { code, stderr } = await run('createPinoTransport ENDING=exit', ...net);
    expect(code).toBe(0);
    expect(stderr).toContain('logclient: 10 records were dropped: the process exited before delivery.');
  });

  it('pino.transport throws without --allow-worker, and says why', async () => {
    const { code, stderr } = await run('pino.transport', ...net);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(denied.replace(/\.$/, '')) });
  });

  it.runIf(hasNet).each(['createPinoStream', 'createPinoTransport', 'winston', 'pino.transport'])(
    '%s reports that --allow-net is missing, and its worker does not escape the permissions',
    async (logging) => {
      const { stderr } = await run(logging, '--allow-worker');
      expect(numbers()).toEqual([]);
      expect(stderr).toContain('(ERR_ACCESS_DENIED). Add the flag --allow-net to the command.');
      expect(stderr).toContain('10 records were dropped');
    },
  );
}

for (const version of NODES) {
  const install = (): Promise<string> => project.installProgram(`node@${version}`);
  await describeInstalled(`The permission model of Node ${version}`, install, (folder) => {
    describePermissions(version, folder);
  });
}
