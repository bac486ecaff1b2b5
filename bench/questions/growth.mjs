// Does the cost per record stay constant with more records, and does it scale with their size?
import { BASELINES } from '../loggers/index.mjs';
import { loggingTable } from '../logging-table.mjs';
import { measureLogging } from '../measure-logging.mjs';
import { inTurns } from '../rounds.mjs';

const LOGGERS = ['logclient pino', 'logclient pino in-process', 'logclient winston'];
const COUNTS = { full: [10_000, 100_000, 1_000_000, 5_000_000], short: [10_000, 100_000, 300_000] };
const SIZES = [100, 1_000, 10_000, 100_000];
/** Total bytes to log, about the same for each record size. */
const BYTES = { full: 300_000_000, short: 30_000_000, tiny: 200_000 };

export const growth = {
  name: 'growth',
  title: 'more records, larger records',
  async run(settings) {
    const names = settings.loggers ?? [BASELINES.pino, ...LOGGERS];
    const counts = settings.amount({ ...COUNTS, tiny: [100, 1_000] });
    const byCount = counts.map((records) => ({ text: `${records} records`, records }));
    const total = settings.amount(BYTES);
    const bySize = SIZES.map((bytes) => ({
      text: `${bytes} B`,
      bytes,
      records: Math.max(2, Math.round(total / bytes)),
    }));
    const tables = [];
    for (const steps of [byCount, bySize]) tables.push(await growing(names, steps, settings));
    return tables.join('\n\n');
  },
};

async function growing(names, steps, { rounds, execArgv }) {
  const subjects = names.flatMap((name) => steps.map((work) => ({ name, work })));
  const rows = await inTurns(subjects, rounds, ({ name, work: { text: _, ...work } }) =>
    measureLogging(name, work, {}, execArgv),
  );
  const labelOf = (name, { text }) => `${name}, ${text}`;
  const described = rows.map(({ subject: { name, work }, ...row }) => ({
    ...row,
    label: labelOf(name, work),
    records: work.records,
    other: labelOf(name, steps[0]),
  }));
  return loggingTable('logger', described);
}
