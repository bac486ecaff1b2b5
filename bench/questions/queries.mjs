// How long do queries take on the local server, and how much memory does an event take there?
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEvents } from '../event-file.mjs';
import { askJq, hasJq } from '../jq.mjs';
import { withPrograms } from '../program.mjs';
import { queryList } from '../query-list.mjs';
import { inTurns, median, medianRatio } from '../rounds.mjs';
import { fixed, markdown, UNKNOWN, whole, withRatio } from '../table.mjs';

const MILLION = 1_000_000;
/** Buckets begin where the minutes of others do. */
const MINUTE_MS = 60_000;

export const queries = {
  name: 'queries',
  title: 'queries on the local server',
  async run(settings) {
    const events = settings.records ?? settings.amount({ full: MILLION, short: 100_000, tiny: 2_000 });
    const folder = mkdtempSync(join(tmpdir(), 'logclient-bench-'));
    const file = join(folder, 'events.ndjson');
    const endsAt = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    try {
      await writeEvents(file, events, endsAt);
      const starts = [['server', ['--expose-gc', ...settings.execArgv]], ['asking'], ['duckdb']];
      return await withPrograms(starts, (server, asking, duckdb) =>
        compareQueries({ server, asking, duckdb, file, events, endsAt, rounds: settings.rounds }),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function compareQueries({ server, asking, duckdb, file, events, endsAt, rounds }) {
  const address = await server.ask('open', { events });
  const filled = await server.ask('fill', { events, endsAt });
  await asking.ask('open', { ...address, endsAt });
  const engines = { logclient: ({ lql }) => asking.ask('query', { lql }) };
  const missing = [];
  if (await duckdb.ask('load', { file })) {
    engines.DuckDB = ({ sql }) => duckdb.ask('query', { sql });
    engines['DuckDB on JSON'] = ({ sql }) => duckdb.ask('query', { sql, isText: true });
  } else missing.push('DuckDB is not installed: `npm install` in bench/peers.');
  if (await hasJq()) engines.jq = ({ jq }) => askJq(jq, file);
  else missing.push('jq is not installed.');
  const subjects = queryList.flatMap((query) =>
    Object.entries(engines).map(([engine, ask]) => ({ query, engine, ask })),
  );
  const rows = await inTurns(subjects, rounds, ({ query, ask }) => ask(query));
  return [
    ...missing,
    `${memoryText(filled, events)}`,
    table(rows, Object.keys(engines), events),
    ...complaints(rows),
  ].join('\n\n');
}

function memoryText({ stored, textBytes, memory }, events) {
  const perEvent = `${whole(memory / stored)} B of memory each, for ${whole(textBytes / stored)} B of text`;
  return `${stored === events ? 'All' : `${whole(stored)} of`} ${whole(events)} events stored: ${perEvent}.`;
}

function table(rows, engines, events) {
  const header = ['query', 'logclient, ms', 'for a million, ms'];
  const others = engines.filter((engine) => engine !== 'logclient');
  const cells = queryList.map((query) => {
    const of = (engine) =>
      rows.find(({ subject }) => subject.query === query && subject.engine === engine).results;
    const msOf = (engine) => median(of(engine).map(({ ms }) => ms));
    const own = msOf('logclient');
    return [
      `\`${query.lql.replaceAll('|', '\\|')}\``,
      fixed(own),
      own === undefined ? UNKNOWN : whole((own * MILLION) / events),
      ...others.map((engine) =>
        withRatio(fixed(msOf(engine)), medianRatio(of(engine), of('logclient'), 'ms')),
      ),
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
