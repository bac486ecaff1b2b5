// How fast are records delivered, and at what cost?
import { allLoggers, BASELINES, BOUND, loggers } from '../loggers/index.mjs';
import { loggingTable, missingNumbers } from '../logging-table.mjs';
import { measureLogging } from '../measure-logging.mjs';
import { inTurns } from '../rounds.mjs';

export const transports = {
  name: 'transports',
  title: 'transports at full speed',
  async run(settings) {
    const records = settings.records ?? settings.amount({ full: 500_000, short: 100_000, tiny: 2_000 });
    return compareLoggers(settings, { records, perSecond: settings.rate });
  },
};

/** Measures the chosen loggers and returns a table with ratios to the baseline of their kind. */
export async function compareLoggers(settings, work) {
  const names = (settings.loggers ?? allLoggers).filter(
    (name) => work.perSecond === undefined || name !== BOUND,
  );
  const rows = await inTurns(names, settings.rounds, (name) =>
    measureLogging(name, work, {}, settings.execArgv),
  );
  const described = rows.map((row) => ({
    ...row,
    label: row.subject,
    records: work.records,
    other: loggers[row.subject].other ?? BASELINES[loggers[row.subject].kind],
  }));
  return `${missingNumbers(rows)}${loggingTable('logger', described)}`;
}
