import { copyFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { runNode } from '../../helpers/run-node.ts';
import { describeInstalled, FreshProject, ROOT } from '../fresh-project.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index + 1);

/** Of a package in the project. */
const PACKAGE = {
  engines: { node: '>=20' },
  main: 'out/app.cjs',
  targets: {
    main: {
      source: 'app.js',
      distDir: './out',
      context: 'node',
      outputFormat: 'commonjs',
      isLibrary: false,
      includeNodeModules: true,
    },
  },
};

const project = await FreshProject.create(['pino', 'winston']);
afterAll(() => project.remove());

const install = (): Promise<void> => project.install('parcel@2.16.4');

await describeInstalled('Parcel', install, () => {
  const build = async (): Promise<void> => {
    await mkdir(join(project.path, 'app'));
    await copyFile(join(ROOT, 'test/fixtures/platform-app.mjs'), join(project.path, 'app/app.js'));
    await project.write('app/package.json', JSON.stringify(PACKAGE));
    // Parcel reads this setting from the project, not from the package.
    const manifest = JSON.parse(await readFile(join(project.path, 'package.json'), 'utf8'));
    const setting = { '@parcel/resolver-default': { packageExports: true } };
    await project.write('package.json', JSON.stringify({ ...manifest, ...setting }));
    const command = ['-C', 'app', join(project.path, 'node_modules/.bin/parcel')];
    expect(await project.run('env', ...command, 'build', '--no-cache', '--no-autoinstall')).toMatchObject({
      code: 0,
    });
  };

  it('a bundle delivers all records with packageExports, in a folder with nothing else', async () => {
    await build();
    const folder = await mkdtemp(join(tmpdir(), 'logclient-bundle-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(join(project.path, 'app/out'), folder, { recursive: true });
    for (const LOGGING of ['ingester', 'createPinoStream', 'createPinoTransport', 'winston']) {
      for (const ENDING of ['natural', 'exit']) {
        const sink = await IngestSink.open();
        onTestFinished(() => sink.close());
        const service = { LOGSCALE_URL: sink.url, LOGSCALE_INGEST_TOKEN: 'token' };
        const { code, stderr } = await runNode(
          join(folder, 'app.cjs'),
          { ...service, LOGGING, ENDING },
          folder,
        );
        const numbers = sink.events.map(({ attributes }) => attributes.n);
        expect({ LOGGING, code, stderr, numbers }).toEqual({ LOGGING, code: 0, stderr: '', numbers: TEN });
      }
    }
  }, 240_000);
});
