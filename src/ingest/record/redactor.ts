import { SecretFinder } from '../../core/secrets/secret-finder.ts';
import type { ResolvedRedactOptions } from '../redact-options.ts';
import { createRecord, EncodedRecord, type IngestRecord } from './record.ts';

/** Maximum number of cached tag sets. Tags are meant for few values. */
const MAX_CACHED = 1_000;

const INITIAL_BYTES = 4 * 1024;
/** A buffer that had to grow beyond this size is released. */
const MAX_KEPT_BYTES = 1024 * 1024;

interface RedactedTags {
  readonly text: string;
  readonly values: number;
}

/** Replaces secrets in records. Records without secrets are not parsed. */
export class Redactor {
  readonly #finder: SecretFinder;
  readonly #replacement: string;
  #memory = Buffer.allocUnsafe(INITIAL_BYTES);
  readonly #encoded = new EncodedRecord();
  readonly #tags = new Map<string, RedactedTags>();
  #values = 0;

  constructor(options: ResolvedRedactOptions) {
    this.#finder = new SecretFinder(options);
    this.#replacement = options.replacement;
  }

  /** Number of values that the last call of {@link redact} has replaced. */
  get values(): number {
    return this.#values;
  }

  /** @returns a record that is valid until the next call; `undefined` if the record can't be searched. */
  redact(record: IngestRecord): IngestRecord | undefined {
    this.#values = 0;
    try {
      const tags = this.#redactedTags(record.tagsText);
      const text = this.#mayFind(record) ? this.#redactedText(record.eventText) : undefined;
      this.#values += tags.values;
      if (text !== undefined) return createRecord(text, tags.text);
      return this.#encoded.show(this.#memory, 0, record.byteLength, tags.text);
    } catch {
      return undefined; // Not JSON, or too deep.
    }
  }

  /** Replaces secrets in a message. */
  redactText(text: string): string {
    return this.#finder.replaceInText(text, this.#replace);
  }

  #mayFind(record: IngestRecord): boolean {
    const { byteLength } = record;
    if (
      byteLength > this.#memory.length ||
      (this.#memory.length > MAX_KEPT_BYTES && byteLength < MAX_KEPT_BYTES)
    ) {
      this.#memory = Buffer.allocUnsafeSlow(Math.max(byteLength, INITIAL_BYTES));
    }
    record.writeTo(this.#memory, 0);
    return this.#finder.mayFind(this.#memory, byteLength);
  }

  /** @returns `undefined` if nothing changes. */
  #redactedText(eventText: string): string | undefined {
    const text = this.#finder.replaceInJson(eventText, this.#replace, { isEvent: eventText.startsWith('{') });
    return text === eventText ? undefined : text;
  }

  #redactedTags(tagsText: string): RedactedTags {
    const known = this.#tags.get(tagsText);
    if (known !== undefined) return known;
    const before = this.#values;
    const text = tagsText === '' ? '' : this.#finder.replaceInJson(tagsText, this.#replace);
    const tags = { text, values: this.#values - before };
    this.#values = before;
    if (this.#tags.size >= MAX_CACHED) this.#tags.clear();
    this.#tags.set(tagsText, tags);
    return tags;
  }

  readonly #replace = ({ text }: { readonly text: string }): string | undefined => {
    // Records of a spool may be redacted already.
    if (text === this.#replacement || text === JSON.stringify(this.#replacement)) return undefined;
    this.#values++;
    return this.#replacement;
  };
}
