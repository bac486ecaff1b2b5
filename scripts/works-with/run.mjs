// Sends 1,000 records with each program in docs/works-with.md, restarts the server midway and prints what arrived.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { debianPrograms, installDebian } from './debian.mjs';
import { installNpm, npmPrograms } from './npm.mjs';
import { RestartingServer } from './restarting-server.mjs';

const USAGE = `Usage: npm run works-with -- [--npm] [--debian] [name...]

  --npm     loggers and clients from npm
  --debian  programs from Debian or Ubuntu packages, which are downloaded but not installed

Without arguments, runs everything.`;
const RECORDS = 1000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    npm: { type: 'boolean', default: false },
    debian: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const print = (text) => process.stdout.write(`${text}\n`);

/**
 * Restarts the server after a fifth of the records have arrived.
 * @returns the number of records that arrived before
 */
async function restart(server) {
  await server.waitFor(({ distinct }) => distinct >= RECORDS / 5);
  const { distinct } = await server.count();
  await server.kill();
  await setTimeout(500);
  await server.start();
  return distinct;
}

async function tryProgram(program) {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-works-with-'));
  const server = new RestartingServer(join(folder, 'data'));
  let stop;
  try {
    await server.start();
    stop = await program.start({ folder, server, records: RECORDS });
    const beforeKill = program.withoutOutage ? undefined : await restart(server);
    const expected = program.expected ?? (({ distinct }, records) => distinct === records);
    const isComplete = await server
      .waitFor((count) => expected(count, RECORDS))
      .then(
        () => true,
        () => false,
      );
    return { ...(await server.count()), ok: isComplete && (beforeKill ?? 0) < RECORDS, beforeKill };
  } catch (error) {
    return { distinct: 0, total: 0, ok: false, error };
  } finally {
    await stop?.();
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function main() {
  const isEverything = !values.npm && !values.debian;
  const isChosen = ({ name }) => positionals.length === 0 || positionals.includes(name);
  const npm = npmPrograms.filter((program) => (isEverything || values.npm) && isChosen(program));
  const debian = debianPrograms.filter((program) => (isEverything || values.debian) && isChosen(program));
  if (npm.length + debian.length === 0)
    throw new Error(`There is no program ${positionals.join(', ')}.\n\n${USAGE}`);
  if (npm.length > 0) await installNpm();
  if (debian.length > 0) await installDebian();

  print(
    '| program | version | arrived | more than once | before the server was killed |\n|---|---|---|---|---|',
  );
  for (const program of [...npm, ...debian]) {
    const { distinct, total, ok, beforeKill, error } = await tryProgram(program);
    const verdict = ok ? '' : ` **failed** ${error ?? ''}`;
    print(
      `| ${program.name} | ${await program.version()} | ${distinct}${verdict} | ${total - distinct} | ${beforeKill ?? 'not killed'} |`,
    );
    if (!ok) process.exitCode = 1;
  }
}

if (values.help) print(USAGE);
else await main();
