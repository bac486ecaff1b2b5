import { performance } from 'node:perf_hooks';
import { haveOwnIds } from '../../core/event-order.ts';
import { seriesFields } from '../../core/wire/query-results.ts';
import type { PollResult } from '../../index.ts';
import { resultNumbers } from '../../language/index.ts';
import { withFlagNames } from '../output/flag-names.ts';
import { ProgressBar } from '../output/progress-bar.ts';
import type { Row, RowShape } from '../output/row-format.ts';
import { RowWriter } from '../output/row-writer.ts';
import { isPaging } from '../output/standard-output.ts';
import { localTimeZone } from '../output/time-text.ts';
import type { ConnectionSettings } from '../settings/connection-settings.ts';
import { withService } from '../settings/service.ts';
import { Gate } from './gate.ts';
import { intervalOf } from './interval.ts';
import { explainNoMatch } from './no-match.ts';
import { pageLink } from './page-link.ts';
import type { QueryFlags } from './query-flags.ts';
import { footerText, writeFooter } from './query-footer.ts';
import { QueryOutput } from './query-output.ts';

/** Larger results are read in pages. */
const MAX_HELD_EVENTS = 100_000;

/** Runs a query on the service and writes its rows page by page. Always deletes the query job. */
export async function runQueryOnService(queryString: string, flags: QueryFlags): Promise<void> {
  const interval = intervalOf(flags);
  const writer = new RowWriter(flags);
  const gate = new Gate(flags);
  const startedAt = performance.now();
  await withService(flags, {}, async ({ client, settings, signal }) => {
    const bar = new ProgressBar(process.stderr, flags.quiet !== true);
    const timeZone = flags.timezone ?? localTimeZone();
    const options = { ...interval, arguments: flags.param, timeZone, signal };
    try {
      await using job = await client.createQueryJob<Row>(queryString, { ...options, isLive: false });
      const result = await job.poll({
        signal,
        onProgress({ progress, metadata: { processedEvents = 0 } }) {
          bar.update(progress, `${processedEvents.toLocaleString('en')} events so far; Ctrl-C to stop`);
        },
      });
      bar.clear();
      warnOf(result, writer);
      const shape = { ...shapeOf(result), numbers: resultNumbers(queryString) };
      const output = new QueryOutput({ flags, writer, shape, gate, bar });
      await writer.begin(shape);
      if (job.hasMore && !isPaged(result, queryString, output.limit, settings)) {
        const limit = Number.isFinite(output.limit) ? output.limit : undefined;
        // A relative interval would move.
        const { queryStart: start, queryEnd: end } = result.metadata;
        const onWarning = (): void => {}; // Already shown.
        await output.show(await client.query<Row>(queryString, { ...options, start, end, limit, onWarning }));
      } else {
        let wantsMore = await output.show(result.events);
        while (wantsMore && job.hasMore) {
          if (!isPaging()) bar.update(1, `${output.shown} rows`);
          wantsMore = await output.show((await job.poll({ signal })).events);
        }
      }
      const durationMs = performance.now() - startedAt;
      await output.end();
      const hasEmptyGroup = gate.hasEmptyGroup(shape.isAggregate ? shape.columns : []);
      const needsHelp = gate.needsHelp(shape.isAggregate, writer.isForPeople, hasEmptyGroup);
      if (needsHelp || (writer.isForPeople && flags.quiet !== true)) {
        const { shown } = output;
        const hasMore = shown >= output.limit && (job.hasMore || result.events.length > shown);
        const query = flags.explained ?? queryString;
        const found = { result, shown, hasMore, hasEmptyGroup };
        const summary = { client, queryString: query, options, interval, durationMs, ...found };
        const explainOrCount = needsHelp ? explainNoMatch : footerText;
        writeFooter(await explainOrCount(summary, writer.surface.timeZone), writer.surface);
        const link = pageLink(settings, queryString, interval);
        if (link !== undefined) writeFooter(link, writer.surface);
      }
      gate.check(shape.isAggregate);
    } finally {
      bar.clear();
    }
  });
}

/**
 * Whether to read a result in pages, each of which is a query. `client.query()` reads it in one request if the service
 * can stream, and holds it in memory. Without @id and @timestamp as they were, there are no pages.
 */
function isPaged(
  { events, metadata }: PollResult<Row>,
  queryString: string,
  limit: number,
  { service }: ConnectionSettings,
): boolean {
  if (!haveOwnIds(events, queryString)) return false;
  const isSmall = limit === Number.POSITIVE_INFINITY && metadata.processedEvents <= MAX_HELD_EVENTS;
  return service === 'ngsiem' || !isSmall;
}

/** The shape of a result. */
export function shapeOf({ metadata }: PollResult<Row>): RowShape {
  const { isAggregate, fieldOrder } = metadata;
  // Events have columns only if the query selects fields.
  const columns = isAggregate || fieldOrder?.includes('@rawstring') === false ? fieldOrder : undefined;
  return { isAggregate, columns, groups: seriesFields(metadata.extraData), isEndless: false };
}

/** @param known warnings that were already shown. */
export function warnOf(result: PollResult<Row>, { surface }: RowWriter, known = new Set<string>()): void {
  for (const text of warningsOf(result)) {
    if (!known.has(text)) surface.warn(`warning from the service: ${withFlagNames(text)}`);
    known.add(text);
  }
}

/** The warnings of the service about a result, each one once. */
export function warningsOf({ warnings, metadata }: PollResult<Row>): ReadonlySet<string> {
  return new Set([...warnings.map(({ message }) => message), ...(metadata.warnings ?? [])]);
}
