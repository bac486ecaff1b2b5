// What does one of our options cost? Compares each logger with and without it.
import { ownLoggers } from './loggers/index.mjs';
import { loggingTable } from './logging-table.mjs';
import { measureLogging } from './measure-logging.mjs';
import { inTurns } from './rounds.mjs';

/**
 * @param {object} settings
 * @param {{text: string, options: () => object}[]} variants ratios are relative to the first one; `options` is called
 * for each run
 */
export async function compareOptions(settings, variants) {
  const records = settings.records ?? settings.amount({ full: 500_000, short: 100_000, tiny: 2_000 });
  const subjects = (settings.loggers ?? ownLoggers).flatMap((name) =>
    variants.map((variant) => ({ name, variant })),
  );
  const work = { records, perSecond: settings.rate };
  const rows = await inTurns(subjects, settings.rounds, ({ name, variant }) =>
    measureLogging(name, work, variant.options(), settings.execArgv),
  );
  const described = rows.map(({ subject: { name, variant }, ...row }) => ({
    ...row,
    records,
    label: `${name}, ${variant.text}`,
    other: `${name}, ${variants[0].text}`,
  }));
  return loggingTable('logger', described);
}
