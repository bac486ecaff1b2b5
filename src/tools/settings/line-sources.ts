import { access, constants, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { textChunks } from '../../core/binary.ts';
import { utf8Text } from '../../core/bytes.ts';
import { pause } from '../../core/delay.ts';
import { SILENCE } from '../../core/line-splitter.ts';
import { recordPlaces, wholeRecords } from '../../core/records/log-records.ts';
import { isStructured } from '../../core/records/structured-lines.ts';
import { unreadable, usageFailure } from '../output/command-failure.ts';
import { bytesOfFile, formOf, plainText, textOf } from './file-bytes.ts';
import { type FollowOptions, followedChunks } from './followed-file.ts';

/** The last record of a pipe is complete after this time. */
const PAUSE_MS = 200;
const NOTHING = new Uint8Array();

/** A record, and where it is. */
export interface SourceRecord {
  readonly text: string;
  readonly file: string;
  /** The number of its first line in plain lines; not after a rotation. */
  readonly line: number | null;
}

/** The records of a file, or of stdin for `-`, without blank ones; none at a pause. @param isText as in {@link wholeRecords} */
export async function* recordsOf(
  source: string,
  options: FollowOptions,
  isText = false,
): AsyncGenerator<readonly SourceRecord[]> {
  let hasLines = !options.onlyNew && (source === '-' || (await formOf(source)) !== 'structured');
  const onRestart = (): void => {
    hasLines = false;
  };
  const chunks = textChunks(chunksOf(source, { ...options, onRestart }), (start) => {
    hasLines &&= !isStructured(start);
  });
  let line = 1;
  for await (const part of wholeRecords(chunks, isText)) {
    const all = utf8Text(part);
    const { starts, ends } = recordPlaces(all, isText);
    let newline = all.indexOf('\n');
    const countLines = (end: number): void => {
      for (; newline !== -1 && newline < end; newline = all.indexOf('\n', newline + 1)) line += 1;
    };
    yield starts.map((start, index) => {
      countLines(start);
      return { text: all.slice(start, ends[index]), file: source, line: hasLines ? line : null };
    });
    countLines(all.length);
    line += part === SILENCE ? 0 : 1;
  }
}

/** The bytes of a file, or of stdin for `-`; decompressed unless the file is followed. A chunk is only valid until the next one. */
export function chunksOf(source: string, options: FollowOptions): AsyncGenerator<Uint8Array> {
  if (source === '-') return standardInput(options.signal);
  if (!options.follow) return bytesOfFile(source);
  return textOf(followedChunks(source, options), source);
}

/** @throws CommandFailure for stdin without a pipe, or if any file can't be read, before anything is sent. */
export async function checkSources(sources: readonly string[], example = '', advice = ''): Promise<void> {
  if (sources.includes('-') && process.stdin.isTTY === true)
    throw usageFailure(`there is no input. Pass files, or pipe lines to stdin: ${example}`);
  for (const path of sources.filter((source) => source !== '-')) {
    // Don't open and close a pipe: its writer would see a closed reader.
    await access(path, constants.R_OK).catch((error) =>
      Promise.reject(usageFailure(unreadable(path, error) + advice)),
    );
    if ((await stat(path)).isDirectory())
      throw usageFailure(`${path} is a directory. Pass the files in it: ${path}/*`);
  }
}

/** The bytes of stdin, decompressed, until the signal aborts. */
export async function* standardInput(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): unknown => process.stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    yield* plainText(withPauses(process.stdin), 'stdin');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Adds an empty chunk when nothing arrives for a while, even if this process was stopped: the last record of a pipe that pauses is complete. */
async function* withPauses(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  for (let hasBegun = false; ; hasBegun = true) {
    const next = iterator.next();
    const arrival = new AbortController();
    const paused = hasBegun && Promise.race([next, pause(PAUSE_MS, arrival.signal).then(setImmediate)]);
    if (paused !== false && (await paused) === undefined) yield NOTHING;
    const { value, done } = await next;
    arrival.abort();
    if (done === true) return;
    yield value;
  }
}
