// What does each way to read rows cost, compared with a request by node:http and JSON.parse of its lines?
import { withPrograms } from '../program.mjs';
import { inTurns, medianRatio, medians } from '../rounds.mjs';
import { fixed, markdown, megabytes, whole, withRatio } from '../table.mjs';

const WAYS = {
  rawHttp: 'node:http, JSON.parse',
  query: 'logclient query',
  streamingQuery: 'logclient streamingQuery',
  toReadable: 'logclient toReadable, as NDJSON',
  tail: 'logclient tail',
};

export const reading = {
  name: 'reading',
  title: 'the rows of a query and of a tail against node:http and JSON.parse',
  run(settings) {
    const events = settings.records ?? settings.amount({ full: 400_000, short: 100_000, tiny: 2_000 });
    return withPrograms([['lines']], async (service) => {
      const url = await service.ask('open', { events });
      const rows = await inTurns(Object.keys(WAYS), settings.rounds, (way) =>
        withPrograms([['reading', settings.execArgv]], (program) =>
          program.ask('read', { way, url, events }),
        ),
      );
      for (const { error } of rows) if (error !== undefined) throw error;
      return table(rows, events);
    });
  },
};

function table([raw, ...rows], events) {
  const cells = [raw, ...rows].map(({ subject, results }) => {
    const { cpuUs, peakRss, events: read } = medians(results);
    return [
      WAYS[subject],
      withRatio(fixed(cpuUs, 2), medianRatio(results, raw.results, 'cpuUs')),
      megabytes(peakRss),
      read === events ? 'all' : `${whole(read)} of ${whole(events)}`,
    ];
  });
  return markdown(['how', 'CPU us/event', 'peak RSS, MB', 'read'], cells);
}
