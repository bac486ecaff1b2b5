import { statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { countText } from '../../../core/count-text.ts';
import { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { wholeRecords } from '../../../core/records/log-records.ts';
import type { LocalServer } from '../../../server/index.ts';
import { type LinesSource, StoredLines } from '../../../server/line-query/stored-lines.ts';
import { ProgressBar } from '../../output/progress-bar.ts';
import { writeNote } from '../../output/standard-output.ts';
import { inOrderOfTime, namesOf, shownNames } from '../../query/file-arguments.ts';
import { formOf } from '../../settings/file-bytes.ts';
import { chunksOf } from '../../settings/line-sources.ts';
import { newestFirst } from './newest-first.ts';

/** The page opens once this much of large files has been read. */
const FIRST_BYTES = 4 * 1024 * 1024;
const MB = 1_000_000;

type Tags = Readonly<Record<string, string>>;

export interface LineReaderOptions {
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** Of times in lines that have no zone. Default: that of this machine */
  readonly timeZone?: string | undefined;
}

/** Stores the lines of files or of stdin in a local server. */
export class LineReader {
  /** Resolves when the newest lines can be searched. */
  readonly started: Promise<void>;
  #start = (): void => {};
  #hasWarned = false;
  #sources: readonly string[] = [];
  /** Bytes of files: of all of them, and of those read. */
  #bytes = 0;
  #bytesRead = 0;
  readonly #times: WrittenTimes[] = [];
  readonly #stored: StoredLines[] = [];
  readonly #server: LocalServer;
  readonly #options: LineReaderOptions;

  constructor(server: LocalServer, options: LineReaderOptions) {
    this.#server = server;
    this.#options = options;
    this.started = new Promise((resolve) => {
      this.#start = resolve;
    });
  }

  /** Number of lines read so far, without blank ones. */
  get lines(): number {
    return this.#stored.reduce((sum, { lines }) => sum + lines, 0);
  }

  /**
   * Reads until the end of all sources, or until the signal aborts. Lines of several sources get the tag `#file`. Of files,
   * the newest lines are read first, as many as fit in memory; compressed files, CSV and arrays of JSON from their start.
   */
  async read(sources: readonly string[]): Promise<void> {
    this.#sources = sources;
    const shown = shownNames(sources);
    const tagsOf = (source: string): Tags =>
      sources.length > 1 ? { file: source === '-' ? 'stdin' : shown(source) } : {};
    const read = (source: string): Promise<void> => this.#read(source, tagsOf(source));
    // Followed files have no end, so they are read at the same time.
    if (this.#options.follow) return void (await Promise.all(sources.map(read)));
    const areFiles = sources.every((source) => source !== '-' && statSync(source).isFile());
    if (!areFiles) for (const source of sources) await read(source);
    else await this.#readNewestFirst(await inOrderOfTime(sources), tagsOf);
  }

  /** Reports on stderr what was read. */
  report(): void {
    const { evicted } = this.#server.inspect.store();
    const names = namesOf(this.#sources);
    const withoutTime = this.#stored.reduce((sum, stored) => sum + stored.withoutTime, 0);
    const note = withoutTime === 0 ? '' : `, ${withoutTime.toLocaleString('en')} without a time`;
    const left = this.#bytes - this.#bytesRead;
    const oldest =
      left > 0 ? `${Math.ceil(left / MB).toLocaleString('en')} MB` : countText(evicted, 'record');
    const lost = `. The oldest ${oldest} did not fit in memory; "logclient query" reads whole files`;
    const rest = evicted === 0 ? '' : lost;
    writeNote(`logclient: read ${countText(this.lines, 'record')} from ${names}${note}${rest}.`);
    this.#warn();
  }

  #warn(): void {
    const [warning] = this.#hasWarned ? [] : this.#times.flatMap((times) => times.warnings());
    if (warning !== undefined) writeNote(`logclient: ${warning}`);
    this.#hasWarned ||= warning !== undefined;
  }

  async #readNewestFirst(sources: readonly string[], tagsOf: (source: string) => Tags): Promise<void> {
    const sizes = await Promise.all(sources.map(async (source) => (await stat(source)).size));
    this.#bytes = sizes.reduce((sum, size) => sum + size, 0);
    const bar = new ProgressBar(process.stderr, true);
    try {
      for (const [index, source] of [...sources.entries()].reverse()) {
        if (this.#isFull) return;
        const [size, tags] = [sizes[index]!, tagsOf(source)];
        if ((await formOf(source)) === 'lines') await this.#readFromEnd(source, size, tags, bar);
        else {
          await this.#read(source, tags);
          this.#bytesRead += size;
        }
      }
    } finally {
      StoredLines.into(this.#server, {});
      bar.clear();
    }
  }

  async #readFromEnd(source: string, size: number, tags: Tags, bar: ProgressBar): Promise<void> {
    const file = await open(source, 'r');
    const others = this.#bytesRead;
    const modified = (await file.stat()).mtimeMs;
    const times = new WrittenTimes({ timeZone: this.#options.timeZone, latest: modified });
    const lines = this.#linesOf({ tags, modified, times });
    try {
      for await (const { bytes, firstTime, left } of newestFirst(file, size, times)) {
        if (this.#options.signal.aborted) return;
        // Without times, events have the order in which they are read.
        if (firstTime === undefined) await this.#read(source, tags);
        this.#bytesRead = others + size - (firstTime === undefined ? 0 : left);
        if (firstTime !== undefined) lines.add(bytes, firstTime, this.#bytesRead / this.#bytes);
        if (this.#bytesRead >= FIRST_BYTES) this.#start();
        bar.update(this.#bytesRead / this.#bytes, `reading ${source}`);
        if (firstTime === undefined || this.#isFull) return;
      }
    } finally {
      await file.close();
    }
  }

  get #isFull(): boolean {
    return this.#server.inspect.store().evicted > 0;
  }

  async #read(source: string, tags: Tags): Promise<void> {
    const isStream = this.#options.follow || source === '-';
    const modified = isStream ? undefined : (await stat(source)).mtimeMs;
    const lines = this.#linesOf({ tags, modified });
    for await (const bytes of wholeRecords(chunksOf(source, { ...this.#options, onlyNew: false }))) {
      if (this.#options.signal.aborted) return;
      lines.add(bytes);
      if (!isStream) continue;
      this.#warn();
      this.#start();
    }
  }

  #linesOf(source: LinesSource): StoredLines {
    const { timeZone } = this.#options;
    const { times = new WrittenTimes({ timeZone, latest: source.modified }) } = source;
    this.#times.push(times);
    const readShare = this.#bytes === 0 ? undefined : this.#bytesRead / this.#bytes;
    const stored = StoredLines.into(this.#server, { ...source, times, readShare });
    this.#stored.push(stored);
    return stored;
  }
}
