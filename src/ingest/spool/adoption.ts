import { join } from 'node:path';
import { isWithin } from '../../core/clock.ts';
import type { Disk } from '../../core/disk.ts';
import { sentence } from '../../core/sentence.ts';
import { tryOr } from '../../core/try-or.ts';
import { isDestinationKey } from './destination-key.ts';
import { claimLeftovers, findLeftovers, foldersIn, segmentsIn } from './leftovers.ts';
import { LineCutter } from './line-cutter.ts';
import { EMPTY, isTemporary, Segment } from './segment.ts';
import type { FoundSegment, SpoolDirectory } from './spool-directory.ts';
import type { SpoolSettings } from './spool-options.ts';

/** Delay before records for other destinations are reported again. */
const REPORT_INTERVAL_MS = 3_600_000;

export interface AdoptionOptions extends Pick<SpoolSettings, 'disk' | 'onTrouble'> {
  /** Contains the directories of all owners with this destination. */
  readonly folder: string;
  /** True if the spool is open and has capacity for a file of this size. */
  readonly hasRoom: (bytes: number) => boolean;
  /** Adds a segment to the spool. @returns false if that is not possible now. */
  readonly add: (segment: Segment) => boolean;
}

/** Adopts the records of exited processes, segment by segment, while the spool has capacity. The rest stays on disk. */
export class Adoption {
  readonly #options: AdoptionOptions;
  /** Claimed directories that could not be read yet. */
  readonly #unread = new Set<SpoolDirectory>();
  /** Claimed segments that are not adopted yet. */
  #parked: FoundSegment[] = [];
  /** Directories that can't be moved. */
  readonly #stuck = new Set<string>();
  /** Number of records that are never sent, by segment, position and size. */
  #stranded = new Map<string, number>();
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AdoptionOptions) {
    this.#options = options;
  }

  /** @param into the directory of the new owner. Never rejects. */
  async run(into: string, nowMs: number): Promise<void> {
    const { disk, folder } = this.#options;
    for (const directory of this.#unread) this.#park(directory);
    await this.#addParked();
    if (this.#parked.length > 0) return;
    const onStuck = (path: string, error: Error): void => this.#foundStuck(path, error);
    for await (const directories of claimLeftovers({ disk, folder, into, onStuck }, nowMs)) {
      for (const directory of directories) this.#park(directory);
      await this.#addParked();
      if (this.#parked.length > 0) break;
    }
  }

  /** Discards the claimed segments, because the directory that contains them was removed. */
  forget(): void {
    this.#parked = [];
    this.#unread.clear();
  }

  /** Number of records for other destinations in the same directory, or in directories that can't be moved. */
  get strandedRecords(): number {
    return [...this.#stranded.values()].reduce((sum, records) => sum + records, 0);
  }

  /** Counts the records that are never sent, and warns regularly about those for other destinations. Never rejects. */
  async reportStranded(nowMs: number): Promise<void> {
    const { disk, folder, onTrouble } = this.#options;
    const root = join(folder, '..');
    const stranded = [...this.#stuck].flatMap((path) => segmentsIn(disk, path));
    const places = new Set<string>();
    for (const name of foldersIn(disk, root)) {
      const other = join(root, name);
      if (other === folder || !isDestinationKey(name)) continue;
      const leftovers = await findLeftovers(disk, other);
      if (leftovers.length > 0) places.add(other);
      stranded.push(...leftovers);
    }
    await this.#count(stranded);
    if (places.size === 0 || isWithin(REPORT_INTERVAL_MS, this.#reportedAt, nowMs)) return;
    this.#reportedAt = nowMs;
    onTrouble(
      `The spool has records in ${[...places].join(' and ')} for another address, repository or token. They are kept but not sent (stats.strandedRecords: ${this.strandedRecords}). To send them here, for example after a token change, move the contents of that folder to ${folder}; otherwise, delete it.`,
    );
  }

  /** Reports a directory once; the next runs try again. */
  #foundStuck(path: string, { message }: Error): void {
    if (this.#stuck.has(path)) return;
    this.#stuck.add(path);
    this.#options.onTrouble(
      `The spool can't take over ${path} of a process that has exited: ${sentence(message)} Its records are kept but not sent (stats.strandedRecords). Let this user write to that folder, or replace it with a copy, which can be moved.`,
      true,
    );
  }

  async #count(segments: readonly FoundSegment[]): Promise<void> {
    const { disk } = this.#options;
    const counts = new Map<string, number>();
    for (const { directory, number, from, bytes } of segments) {
      const path = directory.segmentPath(number);
      const key = `${path} ${from} ${bytes}`;
      const scan = (): Promise<number> => scanSegment(disk, path, from).then(({ records }) => records);
      counts.set(key, this.#stranded.get(key) ?? (await scan().catch(() => 0)));
    }
    this.#stranded = counts;
  }

  #park(directory: SpoolDirectory): void {
    try {
      const segments = directory.findSegments(true);
      this.#parked.push(...segments);
      this.#unread.delete(directory);
      if (segments.length === 0) directory.close(); // All its records are settled.
    } catch (error) {
      if (this.#unread.has(directory)) return;
      this.#unread.add(directory);
      this.#options.onTrouble(`The spool can't read ${directory.path}: ${(error as Error).message}.`);
    }
  }

  async #addParked(): Promise<void> {
    const { hasRoom, add } = this.#options;
    for (let next = this.#parked[0]; next !== undefined; next = this.#parked[0]) {
      if (!hasRoom(next.bytes - next.from)) break;
      const segment = await this.#scan(next);
      if (segment === 'later' || this.#parked[0] !== next) break;
      if (segment !== undefined && !add(segment)) break;
      this.#parked.shift();
    }
  }

  /** @returns `undefined` if the file can't be read. */
  async #scan({ directory, number, from }: FoundSegment): Promise<Segment | 'later' | undefined> {
    const { disk, onTrouble } = this.#options;
    const path = directory.segmentPath(number);
    try {
      return new Segment(directory, number, await scanSegment(disk, path, from, onTrouble));
    } catch (error) {
      if (isTemporary(error)) return 'later';
      const segment = new Segment(directory, number, EMPTY);
      const where = segment.setAside();
      onTrouble(`The spool can't read a file, now at ${where}: ${(error as Error).message}.`);
      return undefined;
    }
  }
}

/**
 * Counts the records of a segment that another process has left. Yields to the event loop between reads, without keeping
 * the process alive.
 *
 * @param onTrouble called if there are damaged lines, or an incomplete one at the end, which is truncated. Without it, the
 * file is only read.
 * @throws Error of the file system
 */
async function scanSegment(
  disk: Disk,
  path: string,
  from: number,
  onTrouble?: (message: string) => void,
): Promise<typeof EMPTY> {
  const cutter = new LineCutter();
  cutter.moveTo(from);
  let records = 0;
  let eventBytes = 0;
  let damagedLines = 0;
  const file = disk.open(path, onTrouble === undefined ? 'read' : 'update');
  try {
    for (;;) {
      const room = cutter.room();
      const bytes = disk.read(file, room, 0, room.length, cutter.readOffset);
      if (bytes === 0) break;
      cutter.filled(bytes);
      for (let line = cutter.peek(); line !== 'incomplete'; line = cutter.peek()) {
        if (line === 'record') {
          records++;
          eventBytes += cutter.eventBytes;
        } else damagedLines++;
        cutter.next();
      }
      await disk.pause();
    }
    const tornBytes = cutter.readOffset - cutter.offset;
    // Fails if the disk is not writable at the moment.
    if (tornBytes > 0) tryOr(undefined, () => disk.truncate(file, cutter.offset));
    if (damagedLines > 0) {
      onTrouble?.(
        `The spool skipped ${damagedLines} damaged ${damagedLines === 1 ? 'line' : 'lines'} of ${path}.`,
      );
    }
    if (tornBytes > 0) {
      onTrouble?.(`The spool discarded an incomplete record (${tornBytes} bytes) at the end of ${path}.`);
    }
    return { from, size: cutter.offset, records, eventBytes };
  } finally {
    tryOr(undefined, () => disk.close(file));
  }
}
