import { countText } from '../../../core/count-text.ts';
import { CostCollector } from '../../../core/records/ingest-cost.ts';
import { maskSecrets } from '../../../core/secrets/mask-secrets.ts';
import type { OutputFlags } from '../../output/output-flags.ts';
import { writeRows } from '../../output/row-writer.ts';
import { writeNote } from '../../output/standard-output.ts';
import { eventIn } from '../ingest/line-event.ts';
import { NO_LINES, readRecords } from './sources.ts';

export interface CostFlags extends OutputFlags {
  readonly tag?: Readonly<Record<string, string>>;
}

const COLUMNS = ['by', 'name', 'bytes', 'percent', 'bytesPerDay', 'bytesPerMonth'];

/** What the formula of the service leaves open, for people. */
const OPEN_QUESTIONS = [
  'The service documents: raw string + explicit fields + explicit tags − removed fields, each with names and values.',
  'Fields of structured events are counted once, as the JSON that becomes the raw string. If the service also counts them as explicit fields, the volume is up to twice as large.',
  'The time is counted as the field @timestamp with 13 digits. The service may count another size.',
  'Fields that a parser removes before parsing are not known here, and would be subtracted.',
  '"logclient ingest" also sends each JSON line as raw string, in addition to its fields.',
] as const;

/** Prints the bytes that the service bills for the records in lines. */
export async function cost(files: readonly string[], flags: CostFlags): Promise<void> {
  const collector = new CostCollector(flags.tag, maskSecrets);
  await readRecords(files, 'cost', flags.timezone, ({ text }, times) => {
    const event = eventIn(text);
    // Only the raw string and the tags of an event in the result of a query were sent.
    if (event === undefined) collector.add(text, times);
    else collector.addEvent(event);
  });
  const { records, rows } = collector.result();
  const shown = rows.map((row) => ({ ...row }));
  await writeRows(shown, COLUMNS, flags);
  if (flags.quiet === true) return;
  if (records === 0) return writeNote(`logclient: 0 bytes: ${NO_LINES}`);
  const bytes = rows[0]?.bytes ?? 0;
  writeNote(`logclient: ${bytes.toLocaleString('en')} bytes for ${countText(records, 'record')}.`);
  for (const [doubt, count] of collector.doubts) writeNote(`- ${countText(count, 'record')} ${doubt}.`);
  if (rows[0]?.bytesPerMonth === null)
    writeNote('- The records span less than an hour, so bytesPerDay is only their rate (null without one).');
  for (const question of OPEN_QUESTIONS) writeNote(`- ${question}`);
}
