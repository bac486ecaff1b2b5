import type { BaseLogClient } from '../../index.ts';
import { LineSplitter } from '../../internal/line-splitter.ts';
import { usageFailure } from '../command-failure.ts';
import type { IngestFlags } from '../commands/ingest.ts';
import { Interrupted } from '../interruption.ts';
import { writeNote } from '../output/standard-output.ts';
import { fileChunks } from './followed-file.ts';
import { withIngest } from './ingest-service.ts';
import { jsonLineEvent } from './line-event.ts';
import { LineShipper } from './line-shipper.ts';
import { patientCall } from './patient-call.ts';

/** Ships the lines of files, or of stdin. Says on stderr how many the service has taken, also after a failure. */
export async function ingest(files: readonly string[], flags: IngestFlags): Promise<void> {
  const sources = files.length === 0 ? ['-'] : files;
  checkFlags(sources, flags);
  await withIngest(flags, async ({ client, signal }) => {
    let delivered = 0;
    const shipper = new LineShipper({
      signal,
      send: async (lines, sending) => {
        await send(client, lines, { flags, signal: sending, hasWorked: delivered > 0 });
        delivered += lines.length;
      },
    });
    let hasFailed = true;
    try {
      await Promise.all(sources.map((source) => shipSource(source, shipper, flags)));
      await shipper.close();
      hasFailed = false;
    } finally {
      const count = `${delivered.toLocaleString('en')} line${delivered === 1 ? '' : 's'}`;
      if (flags.quiet !== true && (delivered > 0 || !hasFailed)) writeNote(`logclient: shipped ${count}.`);
    }
    // To stop is how following ends.
    const { reason } = signal;
    if (signal.aborted && !(flags.follow === true && reason instanceof Interrupted)) throw reason;
  });
}

function checkFlags(sources: readonly string[], { follow, onlyNew, tag = {} }: IngestFlags): void {
  const marked = Object.keys(tag).find((name) => name.startsWith('#'));
  if (marked !== undefined) {
    throw usageFailure(
      `--tag ${marked}: write names of tags without "#"; a query finds it as #${marked.slice(1)}.`,
    );
  }
  if (follow === true && sources.includes('-')) {
    throw usageFailure('--follow needs files; stdin is read as long as it lasts anyway.');
  }
  if (onlyNew === true && follow !== true) throw usageFailure('--only-new needs --follow.');
  if (sources.includes('-') && process.stdin.isTTY === true) {
    throw usageFailure(
      'there is nothing to ship: name files, or pipe lines in (cat app.log | logclient ingest).',
    );
  }
}

async function shipSource(source: string, shipper: LineShipper, flags: IngestFlags): Promise<void> {
  const { signal } = shipper;
  const splitter = new LineSplitter();
  const chunks = source === '-' ? standardInput(signal) : fileChunks(source, { ...followOf(flags), signal });
  for await (const chunk of chunks) {
    await shipper.add(splitter.push(chunk));
    if (signal.aborted) break;
  }
  await shipper.add(splitter.flush());
}

function followOf({ follow, onlyNew }: IngestFlags): { follow: boolean; onlyNew: boolean } {
  return { follow: follow === true, onlyNew: onlyNew === true };
}

async function* standardInput(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): unknown => process.stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of process.stdin) yield chunk as Uint8Array;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

interface Sending {
  readonly flags: IngestFlags;
  readonly signal: AbortSignal;
  readonly hasWorked: boolean;
}

/** JSON objects go as events with fields, everything else as text. */
async function send(client: BaseLogClient, lines: readonly string[], sending: Sending): Promise<void> {
  const { flags, signal } = sending;
  const { parser, tag: tags, field: fields } = flags;
  const isText = parser !== undefined || flags.text === true;
  const now = Date.now();
  const events = isText ? [] : lines.map((line) => jsonLineEvent(line, fields ?? {}, now));
  const structured = events.filter((event) => event !== undefined);
  const texts = isText ? lines : lines.filter((_, index) => events[index] === undefined);
  const patience = { signal, hasWorked: sending.hasWorked, onWait: sayWait(flags) };
  if (structured.length > 0) {
    const group = { ...(tags === undefined ? {} : { tags }), events: structured };
    await patientCall(() => client.ingestJsonData([group], { signal }), patience);
  }
  if (texts.length > 0) {
    await patientCall(() => client.ingestMessages(texts, { parser, fields, tags, signal }), patience);
  }
}

function sayWait({ quiet }: IngestFlags): (delayMs: number, error: Error) => void {
  return (delayMs, error) => {
    if (quiet !== true)
      writeNote(`logclient: ${error.message} Trying again in ${Math.ceil(delayMs / 1000)} s.`);
  };
}
