import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writers } from './write-records.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples/works-with');
const FOLDER = join(ROOT, 'node_modules/.cache/works-with');

/** Installs the packages of the examples and links this package. */
export function installNpm() {
  const { dependencies, ...manifest } = JSON.parse(readFileSync(join(EXAMPLES, 'package.json'), 'utf8'));
  const { logclient: _, ...others } = dependencies;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ ...manifest, dependencies: others }));
  rmSync(join(FOLDER, 'node_modules/logclient'), { force: true });
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
  });
  symlinkSync(ROOT, join(FOLDER, 'node_modules/logclient'));
  cpSync(EXAMPLES, FOLDER, { recursive: true, filter: (path) => !path.endsWith('package.json') });
  cpSync(join(import.meta.dirname, 'write-records.mjs'), join(FOLDER, 'write-records.mjs'));
}

export const npmPrograms = Object.entries(writers).map(
  ([name, { packageName = name, withoutOutage = false }]) => ({
    name,
    withoutOutage,
    version: () =>
      packageName === 'node'
        ? process.versions.node
        : JSON.parse(readFileSync(join(FOLDER, 'node_modules', packageName, 'package.json'), 'utf8')).version,
    async start({ server, records }) {
      const child = spawn(process.execPath, ['write-records.mjs', name, String(records)], {
        cwd: FOLDER,
        env: { ...process.env, ...server.variables, ROARR_LOG: 'true' },
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      return () => child.kill('SIGKILL');
    },
  }),
);
