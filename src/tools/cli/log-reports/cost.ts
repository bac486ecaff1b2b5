import { countText } from '../../../core/count-text.ts';
import type { OutputFlags } from '../../output/output-flags.ts';
import type { Row } from '../../output/row-format.ts';
import { RowWriter } from '../../output/row-writer.ts';
import { writeNote } from '../../output/standard-output.ts';
import { CostCollector, type IngestCost, OPEN_QUESTIONS } from './ingest-cost.ts';
import { linesOfSources, withoutSecrets } from './sources.ts';

export interface CostFlags extends OutputFlags {
  readonly tag?: Readonly<Record<string, string>>;
}

const COLUMNS = ['by', 'name', 'bytes', 'percent', 'bytesPerDay', 'bytesPerMonth'];
const DAYS_PER_MONTH = 30;

/** Prints the bytes that the service bills for the records in lines. */
export async function cost(files: readonly string[], flags: CostFlags): Promise<void> {
  const collector = new CostCollector(flags.tag);
  for await (const line of linesOfSources(files, 'cost')) collector.add(line);
  const result = collector.result();
  const writer = new RowWriter(flags);
  await writer.begin({ isAggregate: true, columns: COLUMNS, isEndless: false });
  await writer.write(rowsOf(result));
  await writer.end();
  if (flags.quiet === true) return;
  writeNote(
    `logclient: ${result.bytes.toLocaleString('en')} bytes for ${countText(result.records, 'record')}.`,
  );
  for (const question of OPEN_QUESTIONS) writeNote(`- ${question}`);
}

function rowsOf({ bytes: total, bytesPerDay, shares, savings }: IngestCost): Row[] {
  const row = (by: string, name: string, bytes: number, share: number): Row => ({
    by,
    name: withoutSecrets(name),
    bytes,
    percent: Number((100 * share).toFixed(1)),
    bytesPerDay: Number.isNaN(bytesPerDay) ? null : Math.round(bytesPerDay * share),
    bytesPerMonth: Number.isNaN(bytesPerDay) ? null : Math.round(DAYS_PER_MONTH * bytesPerDay * share),
  });
  if (total === 0) return [];
  return [
    row('total', 'all', total, 1),
    ...shares.map(({ by, name, bytes, share }) => row(by, name, bytes, share)),
    ...savings.map(({ advice, bytes, share }) => row('saving', advice, -bytes, -share)),
  ];
}
