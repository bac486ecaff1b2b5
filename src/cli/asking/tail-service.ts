import { LogQueryException, type TailOptions, type TailReconnect, type TailSkip } from '../../index.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { Interrupted } from '../interruption.ts';
import { logfmtLine } from '../output/logfmt.ts';
import { cellText, type Row } from '../output/row-format.ts';
import { RowWriter } from '../output/row-writer.ts';
import { timeText } from '../output/time-text.ts';
import { withService } from '../service.ts';
import type { TailFlags } from './tail-flags.ts';

const DEFAULT_LAST = 10;

/** Shows the events of a query as they arrive. Ctrl-C is the way to end it, so it is no failure. */
export async function tailService(queryString: string, flags: TailFlags): Promise<void> {
  if (flags.since !== undefined && flags.last !== undefined) {
    throw usageFailure('--since and --last exclude each other; pass one of them.');
  }
  const writer = new RowWriter(flags, flags.highlight);
  const { exclude = [] } = flags;
  await withService(flags, {}, async ({ client, signal, settings }) => {
    await writer.begin({ isAggregate: false, columns: undefined, isEndless: true });
    if (writer.surface.isTerminal) {
      writer.surface.warn(
        `following ${settings.repository?.value} at ${settings.url.value}; Ctrl-C ends it.`,
      );
    }
    try {
      for await (const event of client.tail<Row>(queryString, { ...tailOptions(flags, writer), signal })) {
        if (exclude.some((pattern) => textOf(event).search(pattern) !== -1)) continue;
        await writer.write([event]);
        if (writer.written === flags.limit) break;
      }
    } catch (error) {
      throw asTailFailure(error);
    }
    await writer.end();
    if (signal.aborted && !(signal.reason instanceof Interrupted)) throw signal.reason;
  });
}

/** What an event says: its text, or the fields that a query has made of it. */
function textOf(event: Row): string {
  return Object.hasOwn(event, '@rawstring')
    ? cellText(event, '@rawstring')
    : logfmtLine(event, Object.keys(event));
}

function tailOptions({ since, last, param }: TailFlags, { surface }: RowWriter): TailOptions {
  return {
    ...(since === undefined
      ? { last: last ?? DEFAULT_LAST }
      : { since: since === 'now' ? Date.now() : since }),
    ...(param === undefined ? {} : { arguments: param }),
    onReconnect: ({ attempt, error }: TailReconnect) => {
      // A quiet connection that a proxy ends is nothing to talk about.
      if (attempt === 1 && error !== undefined) surface.warn('the connection is lost; connecting again …');
    },
    onSkip: ({ from, to }: TailSkip) => {
      const [begin, end] = [from, to].map((time) => timeText(String(time), surface.timeZone));
      surface.warn(`events may be missing from ${begin} to ${end}: too many came at once.`);
    },
  };
}

function asTailFailure(error: unknown): unknown {
  if (error instanceof LogQueryException && /watch\(\)|aggregate/i.test(error.message)) {
    return new CommandFailure(
      'a tail shows events, and this query makes other rows of them. Run it with "logclient query".',
    );
  }
  return error;
}
