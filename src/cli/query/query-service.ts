import type { PollResult, StaticQueryJob } from '../../index.ts';
import type { Row, RowShape } from '../output/row-format.ts';
import { RowWriter } from '../output/row-writer.ts';
import { localTimeZone } from '../output/time-text.ts';
import { type Service, withService } from '../service.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { Gate } from './gate.ts';
import type { QueryFlags } from './query-flags.ts';
import type { Interval } from './time-flags.ts';

/** Runs a query on the service and writes its rows page by page. Always deletes the query job. */
export async function queryService(
  queryString: string,
  interval: Interval,
  flags: QueryFlags,
): Promise<void> {
  const writer = new RowWriter(flags);
  const gate = new Gate(flags);
  await withService(flags, {}, async ({ client, signal }) => {
    const bar = new ProgressBar(process.stderr, flags.quiet !== true);
    const options = queryOptions(interval, flags);
    try {
      await using job = await client.createQueryJob<Row>(queryString, { ...options, isLive: false, signal });
      const first = await job.poll({
        signal,
        onProgress: (result) => bar.update(result.progress, progressNote(result)),
      });
      bar.clear();
      warnOf(first, writer);
      const shape = shapeOf(first);
      await writer.begin(shape);
      const show = async (rows: readonly Row[]): Promise<boolean> => {
        const wanted = rows.slice(0, (flags.limit ?? Number.POSITIVE_INFINITY) - writer.written);
        gate.see(wanted);
        bar.clear();
        await writer.write(wanted);
        return flags.limit === undefined || writer.written < flags.limit;
      };
      if (job.hasMore && !canPage(first.events)) {
        // Without @id and @timestamp there is no paging; `client.query()` fetches the rows another way.
        await show(await client.query<Row>(queryString, { ...options, limit: flags.limit, signal }));
      } else if (await show(first.events)) {
        await showRest(job, { show, signal, onPart: () => bar.update(1, `${writer.written} rows`) });
      }
      await writer.end();
      gate.check(shape.isAggregate);
    } finally {
      bar.clear();
    }
  });
}

interface Rest {
  /** @returns whether to fetch more. */
  readonly show: (rows: readonly Row[]) => Promise<boolean>;
  readonly signal: Service['signal'];
  readonly onPart: () => void;
}

async function showRest(job: StaticQueryJob<Row>, { show, signal, onPart }: Rest): Promise<void> {
  while (job.hasMore) {
    onPart();
    const { events } = await job.poll({ signal });
    if (!(await show(events))) return;
  }
}

function queryOptions({ start, end }: Interval, { param, timezone }: QueryFlags) {
  return {
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(param === undefined ? {} : { arguments: param }),
    timeZone: timezone ?? localTimeZone(),
  };
}

/** The shape of a result. */
export function shapeOf({ metadata }: PollResult<Row>): RowShape {
  const { isAggregate, fieldOrder } = metadata;
  // Events have columns only if the query selects fields.
  const columns = isAggregate || fieldOrder?.includes('@rawstring') === false ? fieldOrder : undefined;
  return { isAggregate, columns, isEndless: false };
}

function canPage(events: readonly Row[]): boolean {
  return events.every((event) => event['@id'] !== undefined && event['@timestamp'] !== undefined);
}

/** @param known warnings that were already shown. */
export function warnOf(
  { warnings, metadata }: PollResult<Row>,
  { surface }: RowWriter,
  known = new Set<string>(),
): void {
  for (const text of [...warnings.map(({ message }) => message), ...(metadata.warnings ?? [])]) {
    if (!known.has(text)) surface.warn(`warning from the service: ${text}`);
    known.add(text);
  }
}

function progressNote({ metadata }: PollResult<object>): string {
  const { processedEvents } = metadata;
  return `${(processedEvents ?? 0).toLocaleString('en')} events searched; Ctrl-C to stop`;
}
