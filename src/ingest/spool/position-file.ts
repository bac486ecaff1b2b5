import { crc32 } from 'node:zlib';
import type { Disk } from '../../core/disk.ts';
import { tryOr } from '../../core/try-or.ts';

/** Everything before a position is settled: the segments with smaller numbers, and `offset` bytes of this one. */
export interface Position {
  readonly segment: number;
  readonly offset: number;
}

const SLOT = /^([0-9a-f]{8}) (\d{16} \d{8} \d{16})\n$/;
const SLOT_BYTES = 52;

/** Stores a position in two slots with checksums, in turn: one is intact after a crash during a write. */
export class PositionFile {
  readonly #disk: Disk;
  readonly #path: string;
  #descriptor: number | undefined;
  #sequence = 0;

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  /** The latest position, or the start if none can be read. */
  read(): Position {
    let latest: Position = { segment: 0, offset: 0 };
    // Without a file, nothing is settled yet, or records are sent twice, which is better than losing them.
    const text = tryOr('', () => this.#disk.readFile(this.#path).toString('latin1'));
    for (const slot of [text.slice(0, SLOT_BYTES), text.slice(SLOT_BYTES, 2 * SLOT_BYTES)]) {
      const [, checksum = '', body = ''] = SLOT.exec(slot) ?? [];
      if (body === '' || Number.parseInt(checksum, 16) !== crc32(body)) continue;
      const [sequence = 0, segment = 0, offset = 0] = body.split(' ').map(Number);
      if (sequence < this.#sequence) continue;
      this.#sequence = sequence + 1;
      latest = { segment, offset };
    }
    return latest;
  }

  /** Never throws. If it fails, records may be sent twice after a crash. */
  write({ segment, offset }: Position): void {
    const body = `${digits(this.#sequence, 16)} ${digits(segment, 8)} ${digits(offset, 16)}`;
    const slot = Buffer.from(`${crc32(body).toString(16).padStart(8, '0')} ${body}\n`);
    try {
      this.#descriptor ??= this.#disk.open(this.#path, 'write');
      this.#disk.write(this.#descriptor, slot, 0, SLOT_BYTES, (this.#sequence % 2) * SLOT_BYTES);
      this.#sequence++;
    } catch {
      this.close();
    }
  }

  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    // The position is already written.
    if (descriptor !== undefined) tryOr(undefined, () => this.#disk.close(descriptor));
  }
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}
