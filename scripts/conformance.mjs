// Runs the golden cases of the query functions on a service, and prints the differences as a report:
// `npm run conformance -- --profile prod [--repository NAME] [--function NAME]`, after `npm run build`.
// The events of a case are in its query, with createEvents(), so nothing is ingested. LogScale gets a repository of its
// own, which is deleted at the end. In Next-Gen SIEM, --repository names one, which stays as it is.
// It exits with status 1 if there are differences.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { conformanceReport } from './conformance/report.mjs';
import { runCase } from './conformance/run-case.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const CASES = join(ROOT, 'scripts/conformance/cases.ndjson');

const { values: flags } = parseArgs({
  options: {
    profile: { type: 'string' },
    repository: { type: 'string' },
    function: { type: 'string', multiple: true },
  },
});

const lines = (await readFile(CASES, 'utf8')).trim().split('\n');
const functions = lines
  .map((line) => JSON.parse(line))
  .filter(({ name }) => flags.function?.includes(name) ?? true);
const folder = await mkdtemp(join(ROOT, 'node_modules/.conformance-'));
try {
  const { withService } = await settingsModule();
  await withService(connection(flags.repository), { repository: false }, (service) =>
    run(service, withService),
  );
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
} finally {
  await rm(folder, { recursive: true });
}

function connection(repository) {
  return { profile: flags.profile, repository };
}

async function run({ client, settings }, withService) {
  const isNgsiem = settings.client !== undefined;
  if (isNgsiem && flags.repository === undefined) throw new Error('Next-Gen SIEM needs --repository <name>.');
  if (isNgsiem) return runAll(client);
  const repository = `logclient-conformance-${randomUUID().slice(0, 8)}`;
  await client.createRepository(repository);
  process.stderr.write(`Created the repository ${repository}.\n`);
  try {
    await withService(connection(repository), {}, (service) => runAll(service.client, service.signal));
  } finally {
    await client.deleteSearchDomain(repository, { deleteMessage: 'The conformance tests are done.' });
    process.stderr.write(`Deleted the repository ${repository}.\n`);
  }
}

async function runAll(client, signal) {
  const results = [];
  for (const { name, uncertain, skipped, cases } of functions) {
    const outcomes = [];
    for (const golden of cases) outcomes.push(await runCase(client, golden, signal));
    results.push({ name, uncertain, skipped, outcomes });
  }
  const { text, differences } = conformanceReport(results);
  process.stdout.write(text);
  process.exitCode = differences === 0 ? 0 : 1;
}

/** The settings of the command line, from their source: they are not part of the package's interface. */
async function settingsModule() {
  const bundle = await rolldown({
    input: join(ROOT, 'src/tools/settings/service.ts'),
    platform: 'node',
    logLevel: 'silent',
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  return import(pathToFileURL(join(folder, output[0].fileName)));
}
