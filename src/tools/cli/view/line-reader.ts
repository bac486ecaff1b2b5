import { basename } from 'node:path';
import { countText } from '../../../core/count-text.ts';
import type { LocalServer } from '../../../server/index.ts';
import { LineEvents, type StructuredEvent } from '../../../server/line-query/line-events.ts';
import { writeNote } from '../../output/standard-output.ts';
import { linesOf } from '../../settings/line-sources.ts';

export interface LineReaderOptions {
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** Stores the lines of files or of stdin in a local server. */
export class LineReader {
  /** Resolves when the first lines can be searched. */
  readonly started: Promise<void>;
  #start = (): void => {};
  #lines = 0;
  #withoutTime = 0;
  #sources: readonly string[] = [];
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
    return this.#lines;
  }

  /** Reads until the end of all sources, or until the signal aborts. Lines of several sources get the tag `#file`. */
  async read(sources: readonly string[]): Promise<void> {
    this.#sources = sources;
    const isTagged = sources.length > 1;
    const read = (source: string): Promise<void> =>
      this.#read(source, isTagged ? { file: source === '-' ? 'stdin' : basename(source) } : {});
    // Followed files have no end, so they are read at the same time.
    if (this.#options.follow) await Promise.all(sources.map(read));
    else for (const source of sources) await read(source);
  }

  /** Reports on stderr what was read. */
  report(): void {
    const { evicted } = this.#server.inspect.store();
    const names = this.#sources.map((source) => (source === '-' ? 'stdin' : source)).join(', ');
    const note = this.#withoutTime === 0 ? '' : `, ${this.#withoutTime.toLocaleString('en')} without a time`;
    const rest = evicted === 0 ? '' : `. The oldest ${countText(evicted, 'line')} did not fit in memory`;
    writeNote(`logclient: read ${countText(this.#lines, 'line')} from ${names}${note}${rest}.`);
  }

  async #read(source: string, tags: Readonly<Record<string, string>>): Promise<void> {
    const reader = new LineEvents();
    for await (const lines of linesOf(source, { ...this.#options, onlyNew: false })) {
      if (this.#options.signal.aborted) return;
      const before = reader.withoutTime;
      const events = reader.read(lines);
      this.#withoutTime += reader.withoutTime - before;
      await this.#store(tags, events);
    }
  }

  async #store(tags: Readonly<Record<string, string>>, events: readonly StructuredEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { url, ingestToken } = this.#server;
    const response = await this.#server.fetch(`${url}/api/v1/ingest/humio-structured`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/json' },
      body: JSON.stringify([{ tags, events }]),
    });
    if (!response.ok) throw new Error(`the lines can't be stored: ${await response.text()}`);
    this.#lines += events.length;
    this.#start();
  }
}
