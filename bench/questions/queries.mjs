// How long do queries take on the local server, and how much memory does it use per event?
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEvents } from '../event-file.mjs';
import { askJq, hasJq } from '../jq.mjs';
import { withPrograms } from '../program.mjs';
import { queryList } from '../query-list.mjs';
import { inTurns, median } from '../rounds.mjs';
import { fixed, markdown, whole, withRatio } from '../table.mjs';

const MILLION = 1_000_000;
/** Aligns the events to full minutes, so that buckets start at the same times in all engines. */
const MINUTE_MS = 60_000;

export const queries = {
  name: 'queries',
  title: 'queries on the local server',
  async run(settings) {
    const events = settings.records ?? settings.amount({ full: MILLION, short: MILLION, tiny: 2_000 });
    const folder = mkdtempSync(join(tmpdir(), 'logclient-bench-'));
    const file = join(folder, 'events.ndjson');
    const endsAt = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    try {
      await writeEvents(file, events, endsAt);
      const starts = [['server', ['--expose-gc', ...settings.execArgv]], ['asking'], ['duckdb']];
      return await withPrograms(starts, (server, asking, duckdb) =>
        compareQueries({ server, asking, duckdb, file, events, endsAt, settings }),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function compareQueries({ server, asking, duckdb, file, events, endsAt, settings }) {
  const address = await server.ask('open', { events });
  const filled = await server.ask('fill', { events, endsAt });
  await asking.ask('open', { ...address, endsAt });
  const engines = { logclient: (query) => askServer(server, asking, query) };
  const missing = [];
  if (await duckdb.ask('load', { file })) {
    engines.DuckDB = ({ sql }) => duckdb.ask('query', { sql });
    engines['DuckDB on JSON'] = ({ sql }) => duckdb.ask('query', { sql, isText: true });
  } else missing.push('DuckDB is not installed: `npm install` in bench/peers.');
  if (settings.length === 'short') missing.push('jq is left out: it takes minutes for a million events.');
  else if (await hasJq()) engines.jq = ({ jq }) => askJq(jq, file);
  else missing.push('jq is not installed.');
  const subjects = queryList.flatMap((query) =>
    Object.entries(engines).map(([engine, ask]) => ({ query, engine, ask })),
  );
  const rows = await inTurns(subjects, settings.rounds, ({ query, ask }) => ask(query));
  return [
    ...missing,
    `${memoryText(filled, events)}`,
    table(rows, Object.keys(engines)),
    ...complaints(rows),
  ].join('\n\n');
}

/** Adds the CPU time of the server, which other processes affect the least. */
async function askServer(server, asking, { lql }) {
  const before = await server.ask('cpuMs');
  const answer = await asking.ask('query', { lql });
  return { ...answer, cpuMs: (await server.ask('cpuMs')) - before };
}

function memoryText({ stored, textBytes, memory }, events) {
  const perEvent = `${whole(memory / stored)} B of memory each, for ${whole(textBytes / stored)} B of text`;
  return `${stored === events ? 'All' : `${whole(stored)} of`} ${whole(events)} events stored: ${perEvent}.`;
}

function table(rows, engines) {
  const header = ['query', 'first, ms', 'then, ms', 'CPU, ms'];
  const others = engines.filter((engine) => engine !== 'logclient');
  const cells = queryList.map((query) => {
    const of = (engine) =>
      rows.find(({ subject }) => subject.query === query && subject.engine === engine).results;
    const msOf = (engine) => median(of(engine).map(({ ms }) => ms));
    const [first, ...later] = of('logclient');
    const then = later.length === 0 ? of('logclient') : later;
    const own = median(then.map(({ ms }) => ms));
    return [
      `\`${query.lql.replaceAll('|', '\\|')}\``,
      fixed(first?.ms),
      fixed(own),
      fixed(median(then.map(({ cpuMs }) => cpuMs))),
      // The medians of the others include their first run; logclient's median, which ratios use, doesn't.
      ...others.map((engine) => withRatio(fixed(msOf(engine)), own > 0 ? msOf(engine) / own : undefined)),
      others.every((engine) => isSame(of('logclient')[0], of(engine)[0])) ? 'yes' : 'no',
    ];
  });
  return markdown([...header, ...others.map((engine) => `${engine}, ms`), 'same answer?'], cells);
}

function isSame(own, other) {
  if (own === undefined || other === undefined) return false;
  return own.rows === other.rows && (own.rows > 1 || own.value === other.value);
}

function complaints(rows) {
  return rows
    .filter(({ error }) => error !== undefined)
    .map(
      ({ subject, error }) => `${subject.engine} failed: ${error.message.split('\n', 1)[0].slice(0, 300)}`,
    );
}
