import { forwardAbort } from '../../internal/forward-abort.ts';
import { usageFailure } from '../command-failure.ts';
import { Interrupted } from '../interruption.ts';
import { writeNote } from '../output/standard-output.ts';
import { EventShipper } from './event-shipper.ts';
import type { IngestFlags } from './ingest-flags.ts';
import { type IngestService, withIngest } from './ingest-service.ts';
import { lineEventText } from './line-event.ts';
import { checkSources, linesOf } from './line-sources.ts';
import type { Shipping } from './shipping.ts';
import { ShippingTally } from './shipping-tally.ts';
import { TextShipper } from './text-shipper.ts';

const DEFAULT_RETRY_TIMEOUT_MS = 60_000;

/** Ships the lines of files or of stdin. Reports on stderr how many were delivered, also after a failure. */
export async function ingest(files: readonly string[], flags: IngestFlags): Promise<void> {
  const sources = files.length === 0 ? ['-'] : files;
  checkFlags(sources, flags);
  await checkSources(sources);
  await withIngest(flags, async (service) => {
    const stopping = new AbortController();
    const unlink = forwardAbort(service.signal, stopping);
    const shipping = beginShipping(service, flags, stopping);
    const { tally, signal } = shipping;
    try {
      await shipAll(sources, shipping);
    } finally {
      unlink();
      if (tally.delivered > 0 || !signal.aborted) shipping.say(tally.summary);
    }
    // With --follow, a signal is the normal end.
    const { reason } = signal;
    if (signal.aborted && !(flags.follow === true && reason instanceof Interrupted)) throw reason;
    tally.check();
  });
}

function beginShipping(service: IngestService, flags: IngestFlags, stopping: AbortController): Shipping {
  const say = (message: string): void => {
    if (flags.quiet !== true) writeNote(`logclient: ${message}`);
  };
  return {
    service,
    flags,
    tally: new ShippingTally(),
    signal: stopping.signal,
    retryTimeoutMs: retryTimeoutOf(flags),
    stop: (reason) => stopping.abort(reason),
    say,
    sayWait: (delayMs, { message }) => say(`${message} Retrying in ${Math.ceil(delayMs / 1000)} s.`),
  };
}

function retryTimeoutOf({ retryTimeout, follow }: IngestFlags): number {
  if (retryTimeout !== undefined) return retryTimeout * 1000;
  return follow === true ? Number.POSITIVE_INFINITY : DEFAULT_RETRY_TIMEOUT_MS;
}

function checkFlags(sources: readonly string[], { follow, onlyNew, parser, tag = {} }: IngestFlags): void {
  const marked = Object.keys(tag).find((name) => name.startsWith('#'));
  if (marked !== undefined) {
    throw usageFailure(`--tag ${marked}: omit the "#". Queries find this tag as #${marked.slice(1)}.`);
  }
  if (parser === '') throw usageFailure('--parser is empty. Pass the name of a parser.');
  if (follow === true && sources.includes('-')) {
    throw usageFailure('--follow needs files. stdin is always read to its end.');
  }
  if (onlyNew === true && follow !== true) throw usageFailure('--only-new requires --follow.');
  if (sources.includes('-') && process.stdin.isTTY === true) {
    throw usageFailure('there is no input. Pass files, or pipe lines to stdin: logclient ingest < app.log');
  }
}

/** Ships JSON objects as events with fields, other lines as text. */
async function shipAll(sources: readonly string[], shipping: Shipping): Promise<void> {
  const events = new EventShipper(shipping);
  const texts = new TextShipper(shipping);
  const ship = async (source: string): Promise<void> => {
    const { flags, signal } = shipping;
    const options = { follow: flags.follow === true, onlyNew: flags.onlyNew === true, signal };
    for await (const lines of linesOf(source, options)) {
      if (signal.aborted) return;
      shipping.tally.read += lines.length;
      const sorted = sortLines(lines, flags);
      await events.add(sorted.events);
      await texts.add(sorted.texts);
    }
  };
  try {
    // Followed files have no end, so they are read at the same time.
    if (shipping.flags.follow === true) await Promise.all(sources.map(ship));
    else for (const source of sources) await ship(source);
  } catch (error) {
    shipping.stop(error);
  }
  await Promise.all([events.close(), texts.close()]);
}

function sortLines(lines: readonly string[], flags: IngestFlags): { events: string[]; texts: string[] } {
  const { parser, text, field: fields = {}, tag: tags = {} } = flags;
  if (parser !== undefined || text === true) return { events: [], texts: [...lines] };
  const now = Date.now();
  const sorted: { events: string[]; texts: string[] } = { events: [], texts: [] };
  for (const line of lines) {
    const event = lineEventText(line, { fields, tags }, now);
    if (event === undefined) sorted.texts.push(line);
    else sorted.events.push(event);
  }
  return sorted;
}
