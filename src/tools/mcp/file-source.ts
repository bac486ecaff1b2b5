import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { delay } from '../../core/delay.ts';
import { FILE_LIMITS } from '../../core/file-repository.ts';
import { Mutex } from '../../core/mutex.ts';
import { wholeRecords } from '../../core/records/log-records.ts';
import { LogClient } from '../../index.ts';
import { type LocalServer, startLocalServer } from '../../server/index.ts';
import { StoredLines } from '../../server/line-query/stored-lines.ts';
import { writeNote } from '../output/standard-output.ts';
import { formOf } from '../settings/file-bytes.ts';
import { checkSources } from '../settings/line-sources.ts';
import type { LogSource } from './log-source.ts';

const REPOSITORY = 'file';
const CHUNK_BYTES = 1024 * 1024;
const POLL_INTERVAL_MS = 200;
/** A last line without a newline is complete if nothing was written for this long. */
const SILENCE_MS = 1_000;

/** A log file, held by a local server without a port. Each call reads what was appended since the last one. */
export class FileSource implements LogSource {
  readonly secrets: ReadonlySet<string> = new Set<string>();
  readonly #path: string;
  readonly #mutex = new Mutex();
  #held: HeldFile | undefined;

  constructor(path: string) {
    this.#path = path;
    // Large files take a while. The first call reports failures.
    this.#refresh().catch(() => {});
  }

  readonly use: LogSource['use'] = async (repository, action) => {
    if (repository !== undefined && repository !== REPOSITORY) {
      throw new Error('this server reads a file, which has no repositories. Omit "repository".');
    }
    const { server, lines } = await this.#refresh();
    const { url: baseUrl, fetch, repository: own, userToken } = server;
    const [firstTime, lastTime] = lines.timeRange ?? [];
    return action({
      client: new LogClient({ baseUrl, fetch, repository: own, userToken }),
      repository: own,
      secrets: this.secrets,
      place: this.#path,
      isLocal: true,
      defaultStart: firstTime ?? 0,
      ...(lastTime !== undefined && { defaultEnd: lastTime + 1 }),
      follow: async (signal) => {
        while (!signal.aborted) {
          await this.#refresh();
          await delay(POLL_INTERVAL_MS, signal).catch(() => {});
        }
      },
    });
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#held?.server.close();
  }

  /** Reads what was appended. A file that was replaced or truncated is read from its start. */
  #refresh(): Promise<HeldFile> {
    return this.#mutex.run(async () => {
      await checkSources([this.#path]);
      const stats = await stat(this.#path);
      const { ino, size, mtimeMs } = stats;
      const { position = 0, isStructured = false } = this.#held ?? {};
      // What is appended to CSV or an array of JSON can't be read on its own.
      if (this.#held?.ino !== ino || size < position || (isStructured && size > position)) {
        await this.#held?.server.close();
        this.#held = undefined;
      }
      if (this.#held === undefined) {
        const server = await startLocalServer({ listen: false, repository: REPOSITORY, ...FILE_LIMITS });
        const lines = StoredLines.into(server, { otherwise: mtimeMs });
        this.#held = { server, ino, position: 0, isStructured: false, lines };
      }
      if (size > this.#held.position) await readInto(this.#held, this.#path, stats);
      return this.#held;
    });
  }
}

interface HeldFile {
  readonly server: LocalServer;
  readonly ino: number;
  /** Bytes that were read. */
  position: number;
  isStructured: boolean;
  readonly lines: StoredLines;
}

async function readInto(held: HeldFile, path: string, { size, mtimeMs }: Stats): Promise<void> {
  const isSilent = Date.now() - mtimeMs > SILENCE_MS;
  const { position: start } = held;
  if (start === 0) held.isStructured = (await formOf(path, true)) === 'structured';
  const chunks = createReadStream(path, { start, end: size - 1, highWaterMark: CHUNK_BYTES });
  const input = completeLines(held, chunks, isSilent);
  for await (const bytes of wholeRecords(input)) held.lines.add(bytes);
  const { evicted } = held.server.inspect.store();
  if (evicted > 0) writeNote(`logclient: ${path} is too large; its ${evicted} oldest lines are left out.`);
}

/** The chunks of a file up to its last newline, and the rest if the line is complete. */
async function* completeLines(held: HeldFile, chunks: AsyncIterable<Buffer>, isSilent: boolean) {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const whole = Buffer.concat([rest, chunk]);
    const complete = whole.subarray(0, whole.lastIndexOf(0x0a) + 1);
    rest = whole.subarray(complete.length);
    held.position += complete.length;
    if (complete.length > 0) yield complete;
  }
  if (!isSilent || rest.length === 0) return;
  held.position += rest.length;
  yield rest;
}
