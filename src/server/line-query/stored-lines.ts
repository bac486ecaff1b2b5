import { WrittenTimes } from '../../core/records/formats/written-times.ts';
import { EventBuilder } from '../ingest/event-builder.ts';
import type { Repository } from '../repository.ts';
import type { ServerHost } from '../server-context.ts';
import { LineBatches } from './line-batches.ts';

/** The source of lines. */
export interface LinesSource {
  /** Tags of all lines, without `#`. */
  readonly tags?: Readonly<Record<string, string>>;
  /** How to read times. @default in the zone of this machine, up to `modified` */
  readonly times?: WrittenTimes | undefined;
  /** When the last line was written, epoch milliseconds; `undefined` for lines that are still written. */
  readonly modified?: number | undefined;
  /** The time of lines if no line so far has one, epoch milliseconds. @default `modified`, or the time of arrival */
  readonly otherwise?: number | undefined;
  /** Share of the sources that is read with these lines, from 0 to 1. @default all */
  readonly readShare?: number | undefined;
}

const hosts = new WeakMap<object, ServerHost>();

/** Lets {@link StoredLines.into} find the host of a server. */
export function keepHost<Server extends object>(server: Server, host: ServerHost): Server {
  hosts.set(server, host);
  return server;
}

/** Stores the lines of one source in a repository, without a request. */
export class StoredLines extends LineBatches {
  readonly #repository: Repository;

  constructor(
    { clock, options }: Pick<ServerHost, 'clock' | 'options'>,
    repository: Repository,
    { tags = {}, modified, otherwise = modified, readShare, ...source }: LinesSource,
  ) {
    const builder = new EventBuilder(clock, options.maxEventBytes);
    const { times = new WrittenTimes({ latest: modified }) } = source;
    super({ builder, repository: repository.name, tags, times, otherwise });
    this.#repository = repository;
    repository.readShare = readShare;
  }

  /** The lines of a source as events of the repository of a local server. */
  static into(server: { readonly repository: string }, source: LinesSource): StoredLines {
    const host = hosts.get(server)!;
    return new StoredLines(host, host.repositories.get(server.repository)!, source);
  }

  /**
   * @param bytes whole lines, which may end with a newline
   * @param previous the time of the line before, epoch milliseconds. Default: that of the last line
   */
  add(bytes: Uint8Array, previous?: number, readShare = this.#repository.readShare): void {
    this.#repository.readShare = readShare;
    this.#repository.store.append(this.batchOf(bytes, previous));
  }
}
