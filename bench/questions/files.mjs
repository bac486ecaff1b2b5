// What does a query on a file of log records cost, compared with programs made for files?
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { usageOf } from '../process-usage.mjs';
import { loggedRecord } from '../record.mjs';
import { inTurns, medianRatio, medians } from '../rounds.mjs';
import { firstLine, fixed, markdown, megabytes, UNKNOWN, whole } from '../table.mjs';

const MILLION = 1_000_000;
const PER_WRITE = 5_000;
const TIMEOUT_MS = 180_000;
const LEVELS = [30, 30, 30, 30, 30, 30, 30, 20, 40, 50];
/** The records are 10 ms apart. */
const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 10;

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const DUCKDB = fileURLToPath(new URL('../programs/duckdb-file.mjs', import.meta.url));
const PEERS = fileURLToPath(new URL('../peers', import.meta.url));

/** The same queries in the languages of all programs; `undefined` where a program has no such query. */
const QUERIES = [
  { lql: 'count()', sql: 'SELECT count(*) FROM lines', jq: 'reduce inputs as $_ (0; . + 1)', rg: '' },
  {
    lql: 'level=error | count()',
    sql: 'SELECT count(*) FROM lines WHERE level = 50',
    jq: 'reduce (inputs | select(.level == 50)) as $_ (0; . + 1)',
    rg: '"level":50,',
  },
  {
    lql: '"rec-77" | count()',
    sql: "SELECT count(*) FROM lines WHERE msg LIKE '%rec-77%'",
    jq: 'reduce (inputs | select(.msg | contains("rec-77"))) as $_ (0; . + 1)',
    rg: 'rec-77',
  },
  {
    lql: '/rec-\\d*[02468]7 req/ | count()',
    sql: "SELECT count(*) FROM lines WHERE regexp_matches(msg, 'rec-\\d*[02468]7 req')",
    jq: 'reduce (inputs | select(.msg | test("rec-[0-9]*[02468]7 req"))) as $_ (0; . + 1)',
    rg: 'rec-\\d*[02468]7 req',
  },
  {
    lql: 'groupBy(http.path, function=[count(), avg(durationMs), max(durationMs)])',
    sql: 'SELECT http.path, count(*), avg(durationMs), max(durationMs) FROM lines GROUP BY http.path',
    jq: 'reduce inputs as $r ({}; .[$r.http.path] |= {n: (.n + 1), sum: (.sum + $r.durationMs), max: ([.max, $r.durationMs] | max)})',
  },
  {
    lql: 'bucket(span=15m, function=percentile(durationMs, percentiles=[95]))',
    sql: 'SELECT time // 900000 AS bucket, approx_quantile(durationMs, 0.95) FROM lines GROUP BY bucket',
  },
];

export const files = {
  name: 'files',
  title: 'queries on a file of pino records',
  async run(settings) {
    const records = settings.records ?? settings.amount({ full: MILLION, short: MILLION, tiny: 2_000 });
    const folder = mkdtempSync(join(tmpdir(), 'logclient-bench-'));
    try {
      const file = join(folder, 'app.log');
      await writeRecords(file, records);
      const programs = installed(file, settings.execArgv);
      const subjects = QUERIES.flatMap((query) =>
        programs.map((program) => ({ query, program, command: program.command(query) })),
      ).filter(({ command }) => command !== undefined);
      const rows = await inTurns(subjects, settings.rounds, ({ command }) =>
        usageOf(command, {}, TIMEOUT_MS),
      );
      return report(rows, programs, `${whole(records)} records, ${megabytes(statSync(file).size)} MB.`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function writeRecords(path, records) {
  const file = createWriteStream(path);
  for (let from = 0; from < records; from += PER_WRITE) {
    let text = '';
    for (let n = from; n < Math.min(records, from + PER_WRITE); n++) text += `${lineOf(n)}\n`;
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

function lineOf(n) {
  const { message, fields } = loggedRecord(n);
  const level = LEVELS[Math.imul(n, 7) % LEVELS.length];
  return JSON.stringify({
    level,
    time: START_MS + n * STEP_MS,
    pid: 4711,
    hostname: 'web-1',
    ...fields,
    msg: message,
  });
}

/** The programs on this machine, with their versions. */
function installed(file, execArgv) {
  const node = process.execPath;
  const own = {
    name: 'logclient',
    version: JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
    command: ({ lql }) => [node, ...execArgv, CLI, 'query', file, lql, '--output', 'ndjson'],
  };
  const lines = `read_ndjson_auto('${file}')`;
  const duckdb = {
    name: 'DuckDB',
    version: duckdbVersion(),
    command: ({ sql }) => sql && [node, DUCKDB, sql.replace('FROM lines', `FROM ${lines}`)],
  };
  const jq = { name: 'jq', version: versionOf('jq'), command: ({ jq }) => jq && ['jq', '-nc', jq, file] };
  const rg = {
    name: 'ripgrep',
    version: versionOf('rg'),
    command: ({ rg }) => (rg === undefined ? undefined : ['rg', '-c', '-j1', rg, file]),
  };
  return [own, duckdb, jq, rg].filter(({ version }) => version !== undefined);
}

function duckdbVersion() {
  const manifest = join(PEERS, 'node_modules/@duckdb/node-api/package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}

function versionOf(program) {
  try {
    return firstLine(execFileSync(program, ['--version'], { encoding: 'utf8' })).replace(/^\w+[- ]/, '');
  } catch {
    return undefined;
  }
}

function report(rows, programs, size) {
  const duckdb = programs.find(({ name }) => name === 'DuckDB');
  const cells = QUERIES.map((query) => {
    const of = (program) =>
      rows.find(({ subject }) => subject.query === query && subject.program === program);
    const ratio = medianRatio(of(programs[0]).results, of(duckdb)?.results, 'cpuMs');
    return [
      `\`${query.lql.replaceAll('|', '\\|')}\``,
      ...programs.map((program) => usageText(of(program))),
      ratio === undefined ? UNKNOWN : `${ratio.toFixed(2)}x`,
    ];
  });
  const versions = programs.map(({ name, version }) => `${name} ${version}`).join(', ');
  return [
    `${size} ${versions}. CPU of the whole process / time until its exit / peak memory. The ratio is that of the CPU to DuckDB's.`,
    markdown(['query', ...programs.map(({ name }) => `${name}, ms / ms / MB`), 'ratio'], cells),
    ...rows.flatMap(({ subject, error }) =>
      error ? [`${subject.program.name} failed: ${firstLine(error.message)}`] : [],
    ),
  ].join('\n\n');
}

function usageText(row) {
  if (row === undefined || row.results.length === 0) return UNKNOWN;
  const { cpuMs, wallMs, peakRss } = medians(row.results);
  return `${fixed(cpuMs, 0)} / ${fixed(wallMs, 0)} / ${megabytes(peakRss)}`;
}
