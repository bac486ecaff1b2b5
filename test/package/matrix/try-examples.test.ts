import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FreshProject, ROOT } from '../fresh-project.ts';

const FOLDER = join(ROOT, 'examples/try');

/** What the first command of each example prints. */
const OUTPUT: Readonly<Record<string, readonly [script: string, output: RegExp]>> = {
  pino: ['start', /│ .* error +cart +payment failed/],
  query: ['start', /"payments","msg":"no connection to the database","_count":"2"/],
  vitest: ['test', /3 passed/],
};

it.each(Object.entries(OUTPUT))(
  'the example examples/try/%s runs after `npm install` in a copy of its folder',
  { timeout: 240_000 },
  async (name, [script, output]) => {
    const project = await FreshProject.createEmpty();
    onTestFinished(() => project.remove());
    await cp(join(FOLDER, name), project.path, { recursive: true });
    const manifest = await readFile(join(project.path, 'package.json'), 'utf8');
    const version = /"logclient": "([^"]+)"/.exec(manifest)![1];
    expect(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).version).toBe(version);
    await writeFile(
      join(project.path, 'package.json'),
      manifest.replace(`"logclient": "${version}"`, `"logclient": "file:${project.tarball}"`),
    );
    await project.install();
    const { code, stdout, stderr } = await project.run('npm', 'run', '--silent', script);
    expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: expect.stringMatching(output) });
  },
);

it('each example has a link in the README that opens it', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const links = [
    ...readme.matchAll(/stackblitz\.com\/github\/[\w-]+\/logclient\/tree\/main\/examples\/try\/(\w+)/g),
  ];
  expect(links.map(([, name]) => name).sort()).toEqual((await readdir(FOLDER)).sort());
  expect(Object.keys(OUTPUT).sort()).toEqual((await readdir(FOLDER)).sort());
});
