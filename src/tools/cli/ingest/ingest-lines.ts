import { stat } from 'node:fs/promises';
import { keepAlive } from '../../../core/keep-alive.ts';
import { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { forText, type ResolvedIngesterOptions } from '../../../ingest/options.ts';
import { usageFailure } from '../../output/command-failure.ts';
import { sourcesOf } from '../../query/file-arguments.ts';
import { recordsOf, type SourceRecord } from '../../settings/line-sources.ts';
import { echoOf } from './echo.ts';
import type { IngestFlags } from './ingest-flags.ts';
import { withIngest } from './ingest-service.ts';
import { lineEventOf } from './line-event.ts';
import { LineShipper } from './line-shipper.ts';
import { Shipping } from './shipping.ts';

/** Ships the lines of files or of stdin. Reports on stderr how many were delivered, also after a failure. */
export async function ingest(files: readonly string[], flags: IngestFlags): Promise<void> {
  checkFlags(flags);
  const sources = await sourcesOf(files, 'logclient ingest < app.log', flags.follow);
  await withIngest(flags, async (options, target) => {
    const shipping = new Shipping(flags, target);
    // Background requests don't keep the process alive.
    shipping.finish(await keepAlive(shipAll(sources, options, shipping)));
  });
}

function checkFlags({ follow, onlyNew, parser, tag = {} }: IngestFlags): void {
  const marked = Object.keys(tag).find((name) => name.startsWith('#'));
  if (marked !== undefined) {
    throw usageFailure(`--tag ${marked}: omit the "#". Queries find this tag as #${marked.slice(1)}.`);
  }
  if (parser === '') throw usageFailure('--parser is empty. Pass the name of a parser.');
  if (onlyNew === true && follow !== true) throw usageFailure('--only-new requires --follow.');
}

/** Ships lines with a time or fields as events, other lines as text. @returns the first record that was not delivered */
async function shipAll(
  sources: readonly string[],
  options: ResolvedIngesterOptions,
  shipping: Shipping,
): Promise<SourceRecord | undefined> {
  const { flags, signal } = shipping;
  const { parser, text, timezone: timeZone, field: fields = {}, follow = false, onlyNew = false } = flags;
  const events = new LineShipper(options, shipping);
  const texts = new LineShipper(forText(options, { parser, fields }), shipping);
  const isText = text === true || parser !== undefined;
  const echo = flags.echo === true ? await echoOf(flags, options) : undefined;
  const withText = options.hec === undefined;
  /** The first record that no shipper has. */
  let next: SourceRecord | undefined;
  const ship = async (source: string): Promise<void> => {
    const modified = source === '-' || follow ? undefined : Math.floor((await stat(source)).mtimeMs);
    const times = new WrittenTimes({ timeZone, latest: modified });
    let last: number | string | undefined;
    for await (const records of recordsOf(source, { follow, onlyNew, signal }, isText)) {
      shipping.read += records.length;
      next = records[0];
      if (signal.aborted) return;
      await echo?.(records.map(({ text }) => text));
      if (isText) {
        for (next of records) if (!(await texts.add(next, JSON.stringify(next.text)))) return;
        next = undefined;
        continue;
      }
      const read = records.map(({ text }) => lineEventOf(text, fields, times));
      // A line without a time has that of the line before, unless it arrives after a pause; the first lines have the first time.
      last = read.length === 0 ? undefined : (last ?? read.find(({ time }) => time !== undefined)?.time);
      for (const [index, event] of read.entries()) {
        last = event.time ?? last;
        next = records[index]!;
        const isAdded =
          event.isText && last === undefined
            ? await texts.add(next, JSON.stringify(next.text))
            : await events.add(next, event.textAt(last ?? modified ?? Date.now(), withText), event.tags);
        if (!isAdded) return;
      }
      next = undefined;
    }
    for (const warning of times.warnings()) shipping.say(warning);
  };
  try {
    // Followed files have no end, so they are read at the same time.
    if (follow) await Promise.all(sources.map(ship));
    else for (const source of sources) await ship(source);
  } catch (error) {
    shipping.stop(error);
  }
  await Promise.all([events.close(), texts.close()]);
  const left = [texts.first, events.first, next].filter((record) => record !== undefined);
  return left.sort(
    (a, b) => sources.indexOf(a.file) - sources.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0),
  )[0];
}
