import type { TagWriter } from '../../src/ingest/record/tags.ts';

/** Maximum number and length of cached tag sets. Tags are meant for few, short values. */
const MAX_CACHED = 1_000;
const MAX_CACHED_LENGTH = 1_000;

/** Positions of the fields that become tags in a line, so that nothing else is parsed. */
export class TagPlaces {
  readonly #tags: TagWriter;
  /** Field names as JSON. Names with escapes are never found, because such lines are parsed. */
  readonly #names: readonly Buffer[];
  /** Start and end by index of the name; the end is 0 if the field is missing. */
  readonly #starts: number[];
  readonly #ends: number[];
  /** Serialized tags by the members that they consist of. */
  readonly #cache = new Map<string, string>();

  constructor(tags: TagWriter) {
    this.#tags = tags;
    this.#names = tags.fieldNames.map((name) => Buffer.from(JSON.stringify(name)));
    this.#starts = this.#names.map(() => 0);
    this.#ends = this.#names.map(() => 0);
  }

  clear(): void {
    this.#ends.fill(0);
  }

  /** Records the position of a member. The last one of each name wins. */
  note(bytes: Buffer, start: number, colon: number, end: number): void {
    for (let index = 0; index < this.#names.length; index++) {
      const name = this.#names[index]!;
      if (colon - start !== name.length || bytes.compare(name, 0, name.length, start, colon) !== 0) continue;
      this.#starts[index] = start;
      this.#ends[index] = end;
    }
  }

  /** @param level the member `level` as JSON, which is not recorded. */
  tagsText(bytes: Buffer, level: string): string {
    let members = level;
    for (let index = 0; index < this.#ends.length; index++) {
      const end = this.#ends[index]!;
      if (end > 0)
        members += `${members === '' ? '' : ','}${bytes.toString('latin1', this.#starts[index], end)}`;
    }
    return this.#cache.get(members) ?? this.#textOf(members);
  }

  /** @param members UTF-8 bytes as Latin-1 characters. */
  #textOf(members: string): string {
    const text = this.#tags.textFor(JSON.parse(`{${Buffer.from(members, 'latin1').toString()}}`));
    if (members.length > MAX_CACHED_LENGTH) return text;
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(members, text);
    return text;
  }
}
