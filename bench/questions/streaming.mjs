// How fast does a streaming query return objects?
import { withPrograms } from '../program.mjs';
import { inTurns, medianRatio, medians } from '../rounds.mjs';
import { fixed, markdown, megabytes, whole, withRatio } from '../table.mjs';

const WAYS = {
  parseAlone: 'JSON.parse, lines in memory',
  downloadAndParse: 'undici, whole text, JSON.parse',
  streamingQuery: 'logclient streamingQuery',
};

export const streaming = {
  name: 'streaming',
  title: 'a streaming query into objects against JSON.parse of the same lines',
  run(settings) {
    const events = settings.records ?? settings.amount({ full: 1_000_000, short: 200_000, tiny: 2_000 });
    return withPrograms([['lines']], async (service) => {
      const url = await service.ask('open', { events });
      const rows = await inTurns(Object.keys(WAYS), settings.rounds, (way) =>
        withPrograms([['reading', settings.execArgv]], (program) => program.ask('read', { way, url })),
      );
      return table(rows, events);
    });
  },
};

function table(rows, events) {
  for (const { error } of rows) if (error !== undefined) throw error;
  const cells = rows.map(({ subject, results }) => {
    const own = medians(results);
    const compared = (text, name) => withRatio(text, medianRatio(results, rows[0].results, name));
    return [
      WAYS[subject],
      compared(whole(own.perSecond), 'perSecond'),
      compared(fixed(own.cpuUs, 2), 'cpuUs'),
      megabytes(own.peakRss),
      own.events === events ? 'all' : `${whole(own.events)} of ${whole(events)}`,
    ];
  });
  return markdown(['how', 'events/s', 'CPU us/event', 'peak RSS, MB', 'read'], cells);
}
