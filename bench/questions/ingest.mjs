// How many events per second does the local server ingest?
import { withPrograms } from '../program.mjs';
import { inTurns, medians } from '../rounds.mjs';
import { fixed, markdown, megabytes, whole } from '../table.mjs';

const PER_BATCH = 5_000;
const WAYS = [
  { label: 'plain', isCompressed: false },
  { label: 'gzip', isCompressed: true },
];

export const ingest = {
  name: 'ingest',
  title: `the local server takes batches of ${PER_BATCH} over HTTP`,
  async run(settings) {
    const events = settings.records ?? settings.amount({ full: 1_000_000, short: 200_000, tiny: 10_000 });
    const batches = Math.max(1, Math.round(events / PER_BATCH));
    const rows = await inTurns(WAYS, settings.rounds, (way) => measure(way, batches, settings.execArgv));
    return table(rows, batches * PER_BATCH);
  },
};

function measure({ isCompressed }, batches, execArgv) {
  return withPrograms([['server', execArgv], ['posting']], async (server, posting) => {
    const events = batches * PER_BATCH;
    await posting.ask('prepare', { perBatch: PER_BATCH, isCompressed });
    const { url, ingestToken } = await server.ask('open', { events });
    const seconds = await posting.ask('post', { url, token: ingestToken, batches, isCompressed });
    const { stored, cpuUs, loopDelayMs, peakRss } = await server.ask('end');
    return { stored, perSecond: stored / seconds, cpuUs: cpuUs / stored, loopDelayMs, peakRss };
  });
}

function table(rows, events) {
  for (const { error } of rows) if (error !== undefined) throw error;
  const cells = rows.map(({ subject, results }) => {
    const { stored, perSecond, cpuUs, loopDelayMs, peakRss } = medians(results);
    return [
      subject.label,
      whole(perSecond),
      fixed(cpuUs, 2),
      fixed(loopDelayMs),
      megabytes(peakRss),
      stored === events ? 'all' : `${whole(stored)} of ${whole(events)}`,
    ];
  });
  const header = ['bodies', 'events/s', 'CPU us/event', 'longest loop delay, ms', 'peak RSS, MB', 'stored'];
  return markdown(header, cells);
}
