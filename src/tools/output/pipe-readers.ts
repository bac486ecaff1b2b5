import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tryOr } from '../../core/try-or.ts';

const READABLE_BY_OWNER = 0o400;

/**
 * The processes that read a pipe of this process. Linux reports a closed reader only to a process that writes; until
 * then, `/proc` shows it.
 */
export class PipeReaders {
  /** Such as `pipe:[4711]`. */
  readonly #pipe: string;
  readonly #session = sessionOf('self');
  /** File descriptors that were seen last, such as `/proc/12/fd/0`. */
  #known: readonly string[] = [];

  /** @param fd the writable end. */
  constructor(fd: number) {
    this.#pipe = linkOf(`/proc/self/fd/${fd}`) ?? '';
  }

  /** Whether there were readers, and all of them are gone. False if some processes can't be inspected. */
  areGone(): boolean {
    if (this.#known.some((place) => this.#isReader(place))) return false;
    const readers = this.#find();
    if (readers === undefined) return false;
    const hadReaders = this.#known.length > 0;
    if (readers.length > 0) this.#known = readers;
    return hadReaders && readers.length === 0;
  }

  /** The readers; `undefined` if a process of the same session can't be inspected, such as one started with sudo. */
  #find(): readonly string[] | undefined {
    const readers: string[] = [];
    for (const id of entriesOf('/proc') ?? []) {
      if (!/^\d+$/.test(id)) continue;
      const names = entriesOf(`/proc/${id}/fd`);
      if (names === undefined && sessionOf(id) === this.#session) return undefined;
      const places = (names ?? []).map((name) => `/proc/${id}/fd/${name}`);
      readers.push(...places.filter((place) => this.#isReader(place)));
    }
    return readers;
  }

  #isReader(place: string): boolean {
    if (linkOf(place) !== this.#pipe) return false;
    const stats = lstatSync(place, { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & READABLE_BY_OWNER) !== 0;
  }
}

function entriesOf(folder: string): readonly string[] | undefined {
  return tryOr(undefined, () => readdirSync(folder));
}

function linkOf(path: string): string | undefined {
  return tryOr(undefined, () => readlinkSync(path));
}

/** The session of a process: the sixth value, counted after the name, which can contain spaces. */
function sessionOf(id: string): string | undefined {
  const text = tryOr('', () => readFileSync(`/proc/${id}/stat`, 'utf8'));
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[3];
}
