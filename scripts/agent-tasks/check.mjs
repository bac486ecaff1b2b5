import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LogIngestClient } from '../../dist/index.js';
import { LineQuery } from '../../dist/line-query.js';
import { startLocalServer } from '../../dist/local-server.js';
import { COMMAND_TASKS } from './command-tasks.mjs';
import { LOG } from './events.mjs';
import { PROGRAM_TASKS } from './program-tasks.mjs';
import { QUERY_TASKS } from './query-tasks.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const CLI = join(ROOT, 'dist/cli/main.js');
const TIME_LIMIT_MS = 60_000;

/** All tasks, each with a `check` that returns whether an answer is right. */
export const TASKS = [
  ...QUERY_TASKS.map((task) => ({ kind: 'query', ...task, check: (query) => isRightQuery(task, query) })),
  ...COMMAND_TASKS.map((task) => ({ kind: 'command', ...task, check: (line) => isRightCommand(task, line) })),
  ...PROGRAM_TASKS.map((task) => ({ kind: 'program', ...task, check: (text) => isRightProgram(task, text) })),
];

async function isRightQuery({ rows, isOrdered }, query) {
  let found = [];
  try {
    // Each batch is the whole result so far, or the events of a query without an aggregate.
    for await (const batch of new LineQuery(query).run(LOG)) found.push(...batch);
  } catch {
    return false;
  }
  if (found.length !== rows.length) return false;
  const names = Object.keys(rows[0]);
  const text = (row) => JSON.stringify(names.map((name) => numberOrText(row[name])));
  const order = (texts) => (isOrdered ? texts : texts.toSorted());
  found = order(found.map(text));
  return order(rows.map(text)).every((row, i) => row === found[i]);
}

/** Numbers are text in a result, and can have more digits than the expected ones. */
function numberOrText(value) {
  const number = Number(value);
  return value === undefined || value === '' || Number.isNaN(number)
    ? String(value)
    : String(Number(number.toPrecision(6)));
}

async function isRightCommand({ output }, line) {
  return inService(async ({ folder, env }) => {
    await writeFile(join(folder, 'app.mjs'), "console.error('disk is full');\n");
    await writeFile(join(folder, 'app.log'), LOG.join(''));
    await writeFile(join(folder, 'bad.lql'), 'level=error | grupBy(service)\n');
    await writeFile(join(folder, 'logclient'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, {
      mode: 0o755,
    });
    const path = `${folder}:${process.env.PATH}`;
    const { code, stdout } = await run('bash', ['-c', line], folder, { ...env, PATH: path });
    return code === 0 && output.test(stdout);
  });
}

async function isRightProgram({ isRight, env: more, broken, inProgram = (text) => text }, answer) {
  return inService(async ({ folder, env, server }) => {
    const file = join(folder, 'answer.mjs');
    await writeFile(file, inProgram(answer));
    const start = (variables) => run(process.execPath, [file], folder, { ...env, ...more, ...variables });
    const result = await start({});
    if (!isRight({ ...result, events: server.inspect.events() })) return false;
    return broken === undefined || (await start(broken.env)).code !== 0;
  });
}

/** Runs `use` with a folder that has the package, and a local server with a few records. */
async function inService(use) {
  // The package finds itself by its name here.
  const folder = await mkdtemp(join(ROOT, '.tmp-task-'));
  const server = await startLocalServer();
  const { url, repository, userToken, ingestToken } = server;
  const ingest = new LogIngestClient({ baseUrl: url, ingestToken });
  const record = (level, order) => ({ timestamp: Date.now(), attributes: { level, user: 'ann', order } });
  await ingest.ingestJsonData([
    {
      tags: { service: 'shop' },
      events: [record('error', 'o-1'), record('error', 'o-2'), record('info', 'o-3')],
    },
    { tags: { service: 'mail' }, events: [record('error', 'o-4')] },
  ]);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NO_COLOR: '1',
    LOGSCALE_URL: url,
    LOGSCALE_REPOSITORY: repository,
    LOGSCALE_TOKEN: userToken,
    LOGSCALE_INGEST_TOKEN: ingestToken,
  };
  try {
    return await use({ folder, env, server });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function run(file, args, cwd, env) {
  return new Promise((done) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIME_LIMIT_MS });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}
