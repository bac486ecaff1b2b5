import type { TagWriter } from '../../src/ingest/record/tags.ts';

/** Tags are meant for few values; where there are more, or long ones, remembering them is no use. */
const MAX_KNOWN = 1_000;
const MAX_KNOWN_LENGTH = 1_000;

/** The values of the fields that become tags, as places in a line, so that nothing else of it has to be parsed. */
export class TagPlaces {
  readonly #tags: TagWriter;
  /** As they stand in a line. A name that needs escapes is never found: such a line is parsed. */
  readonly #names: readonly Buffer[];
  /** By the name's index; the end is 0 for a field that there is not. */
  readonly #starts: number[];
  readonly #ends: number[];
  /** Texts of tags, by the members that they are made of. */
  readonly #known = new Map<string, string>();

  constructor(tags: TagWriter) {
    this.#tags = tags;
    this.#names = tags.fieldNames.map((name) => Buffer.from(JSON.stringify(name)));
    this.#starts = this.#names.map(() => 0);
    this.#ends = this.#names.map(() => 0);
  }

  /** Begins with another line. */
  clear(): void {
    this.#ends.fill(0);
  }

  /** Takes note of a member, from its name on. Of those with the same name the last one counts. */
  note(bytes: Buffer, start: number, colon: number, end: number): void {
    for (let index = 0; index < this.#names.length; index++) {
      const name = this.#names[index]!;
      if (colon - start !== name.length || bytes.compare(name, 0, name.length, start, colon) !== 0) continue;
      this.#starts[index] = start;
      this.#ends[index] = end;
    }
  }

  /** @param level the member `level` as JSON text, which is not among those that were noted. */
  tagsText(bytes: Buffer, level: string): string {
    let members = level;
    for (let index = 0; index < this.#ends.length; index++) {
      const end = this.#ends[index]!;
      if (end > 0)
        members += `${members === '' ? '' : ','}${bytes.toString('latin1', this.#starts[index], end)}`;
    }
    return this.#known.get(members) ?? this.#textOf(members);
  }

  /** @param members their UTF-8 as single characters. */
  #textOf(members: string): string {
    const text = this.#tags.textFor(JSON.parse(`{${Buffer.from(members, 'latin1').toString()}}`));
    if (members.length > MAX_KNOWN_LENGTH) return text;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(members, text);
    return text;
  }
}
