// Checks every query of a file and the fixes that are offered, and runs it on a local server:
// `npm run corpus -- FILE [--min-parsed 100] [--min-run 99.8]`.
// It exits with status 1 if a smaller share of the queries is parsed or runs, or if a fix breaks a law.
// Each line of the file is a JSON object with the text in `query`. If `kind` is `parser`, the text is a parser script.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { LogClient } from 'logclient';
import { startLocalServer } from 'logclient/local-server';
import { describeFunction, falseFields, parse, resultFields, walk } from 'logclient/query-language';
import { fittingEvent, lookupFile, parameterValue } from './corpus/fitting-events.mjs';
import { brokenLaws } from './corpus/fix-laws.mjs';
import { factsOf } from './corpus/query-facts.mjs';
import { variedRows } from './corpus/row-laws.mjs';
import { SeededRandom } from './corpus/seeded-random.mjs';

const EVENTS_PER_QUERY = 3;
const DAY_MS = 86_400_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'min-parsed': { type: 'string', default: '100' },
    'min-run': { type: 'string', default: '99.8' },
    seed: { type: 'string', default: '1' },
  },
});
if (positionals.length !== 1) {
  print('Usage: npm run corpus -- FILE [--min-parsed PERCENT] [--min-run PERCENT] [--seed NUMBER]');
  process.exit(2);
}

const random = new SeededRandom(Number(options.seed));
const entries = readEntries(positionals[0]);
const refusals = [];
const parsed = entries.filter(parseEntry);
const broken = parsed.flatMap(({ id, query }) => brokenLaws(query).map((law) => `${id}: ${law}`));
const server = await startLocalServer({ listen: false, onWarning: print });
const client = new LogClient({
  baseUrl: server.url,
  repository: server.repository,
  userToken: server.userToken,
  fetch: server.fetch,
});
/** Texts of the lookup files by name. */
const lookups = {};
await fillStore();
const outcomes = {
  ran: 0,
  refused: 0,
  missing: 0,
  removed: 0,
  rows: 0,
  closed: 0,
  varied: 0,
  aggregates: 0,
  open: 0,
};
for (const entry of parsed) await runEntry(entry);
await server.close();
process.exitCode = report() ? 0 : 1;

function print(text) {
  process.stdout.write(`${text}\n`);
}

function readEntries(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const { id = `line ${index + 1}`, kind = 'query', query } = JSON.parse(line);
    return [{ id, kind, query }];
  });
}

function parseEntry(entry) {
  try {
    entry.tree = parse(entry.query);
    entry.facts = factsOf(entry.tree);
    return true;
  } catch (error) {
    refusals.push({ id: entry.id, reason: `not parsed: ${error.message}` });
    return false;
  }
}

/** Stores events for every query and uploads the lookup files that it uses. */
async function fillStore() {
  const now = Date.now();
  const elements = parsed.flatMap(({ facts }) =>
    Array.from({ length: EVENTS_PER_QUERY }, () => fittingEvent(facts, now - random.below(DAY_MS), random)),
  );
  for (let start = 0; start < elements.length; start += 500) {
    await client.ingestJsonData(elements.slice(start, start + 500));
  }
  const files = new Map();
  for (const { facts } of parsed) {
    for (const [path, columns] of facts.files) {
      // Queries may prefix the file with its package; it is stored under its name only.
      const name = path.slice(path.lastIndexOf('/') + 1);
      const known = files.get(name) ?? { columns: new Set(), fields: facts.fields };
      for (const column of columns) known.columns.add(column);
      files.set(name, known);
    }
  }
  for (const [name, { columns, fields }] of files) {
    const content = lookupFile(name, columns, fields, random);
    lookups[name] = content;
    await client
      .uploadFile({ name, content })
      .catch((error) => print(`The file ${name}: ${reasonOf(error)}`));
  }
  print(`${elements.length} events, ${files.size} lookup files`);
}

async function runEntry(entry) {
  try {
    if (entry.kind === 'parser') await runParser(entry);
    else await runQuery(entry);
    outcomes.ran += 1;
  } catch (error) {
    const reason = reasonOf(error);
    if (/saved query/i.test(reason) && hasSavedQuery(entry.tree)) {
      outcomes.missing += 1;
      return;
    }
    // The service rejects these queries, too.
    if (/no function "rdns"/.test(reason)) {
      outcomes.removed += 1;
      return;
    }
    outcomes.refused += 1;
    refusals.push({ id: entry.id, reason });
  }
}

async function runQuery({ id, query, facts, tree }) {
  const given = Object.fromEntries(
    [...facts.parameters].map(([name, place]) => [name, parameterValue(place)]),
  );
  const fields = resultFields(query);
  if (endsInAggregate(tree)) {
    outcomes.aggregates += 1;
    if (fields === undefined) outcomes.open += 1;
  }
  const varied = await variedRows({ query, facts }, { arguments: given, files: lookups }, random);
  if (varied?.hasRows) outcomes.varied += 1;
  const wrong = new Set(varied?.wrong);
  let rows = 0;
  for await (const row of client.streamingQuery(query, { start: '2d', end: 'now', arguments: given })) {
    rows += 1;
    for (const what of falseFields(fields, row)) wrong.add(what);
  }
  if (rows > 0) outcomes.rows += 1;
  if (rows > 0 && fields !== undefined) outcomes.closed += 1;
  broken.push(...Array.from(wrong, (what) => `${id}: a row that ${what}, which the query rules out`));
}

async function runParser({ id, query, facts }) {
  await client.createParser(id, query);
  const { rawstring } = fittingEvent(facts, Date.now(), random).events[0];
  await client.ingestMessages([rawstring], { parser: id });
  outcomes.rows += 1;
}

function endsInAggregate({ steps }) {
  const step = steps.at(-1);
  const call = step?.kind === 'Assignment' ? step.value : (step?.call ?? step);
  return (
    call?.kind === 'Stats' || (call?.kind === 'Call' && describeFunction(call.name)?.kind === 'aggregate')
  );
}

function hasSavedQuery(tree) {
  let found = false;
  walk(tree, {
    SavedQuery() {
      found = true;
    },
  });
  return found;
}

function reasonOf(error) {
  return (error.cause?.message ?? error.body ?? error.message).replaceAll(/\s+/g, ' ').slice(0, 300);
}

/** Prints the results; returns false if a percentage is below its minimum, or a fix breaks a law. */
function report() {
  const runnable = parsed.length - outcomes.missing - outcomes.removed;
  const parsedPercent = (100 * parsed.length) / Math.max(1, entries.length);
  const runPercent = (100 * outcomes.ran) / Math.max(1, runnable);
  const byReason = Map.groupBy?.(refusals, ({ reason }) => generalReason(reason)) ?? groupByReason();
  for (const [reason, group] of [...byReason].sort((a, b) => b[1].length - a[1].length)) {
    print(`${String(group.length).padStart(5)}  ${reason}  [${group.slice(0, 3).map(({ id }) => id)}]`);
  }
  print(`parsed  ${parsed.length} of ${entries.length} (${parsedPercent.toFixed(2)} %)`);
  print(
    `ran     ${outcomes.ran} of ${runnable} (${runPercent.toFixed(2)} %), ${outcomes.rows} of them with a result, ${outcomes.closed} with known fields`,
  );
  const closedPercent = 100 * (1 - outcomes.open / Math.max(1, outcomes.aggregates));
  print(
    `fields  hold for ${outcomes.varied} queries with rows if a field is missing, text, a number or huge; known for ${closedPercent.toFixed(2)} % of ${outcomes.aggregates} queries that end in an aggregate`,
  );
  print(`apart   ${outcomes.missing} that call a saved query which is not there`);
  print(`        ${outcomes.removed} that call a function which the service has removed`);
  for (const law of broken) print(`law     ${law}`);
  print(`fixes   ${broken.length} break a law`);
  const isGood = parsedPercent >= Number(options['min-parsed']) && runPercent >= Number(options['min-run']);
  return isGood && broken.length === 0;
}

function groupByReason() {
  const groups = new Map();
  for (const refusal of refusals) {
    const reason = generalReason(refusal.reason);
    groups.set(reason, [...(groups.get(reason) ?? []), refusal]);
  }
  return groups;
}

/** Removes the position, so that equal reasons are counted together. */
function generalReason(reason) {
  return reason.replace(/\(line \d+, column \d+\).*/, '').trim();
}
