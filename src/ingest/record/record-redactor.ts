import { SecretFinder } from '../../core/secrets/secret-finder.ts';
import type { ResolvedRedactOptions } from '../redact-options.ts';
import { type ByteTest, createRecord, type IngestRecord } from './record.ts';

/** Maximum number of cached tag sets. Tags are meant for few values. */
const MAX_CACHED = 1_000;

interface RedactedTags {
  readonly text: string;
  readonly values: number;
}

/** Replaces secrets in records. Records without secrets are neither copied nor parsed. */
export class RecordRedactor {
  readonly #finder: SecretFinder;
  readonly #replacement: string;
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

  /** @returns the same record if it contains no secret; `undefined` if it can't be searched. */
  redact(record: IngestRecord): IngestRecord | undefined {
    this.#values = 0;
    try {
      const tags = this.#redactedTags(record.tagsText);
      const text = record.some(this.#mayFind) ? this.#redactedText(record.eventText) : undefined;
      if (text === undefined && tags.text === record.tagsText) return record;
      this.#values += tags.values;
      return createRecord(text ?? record.eventText, tags.text);
    } catch {
      return undefined; // Not JSON, or too deep.
    }
  }

  /** Replaces secrets in a message. */
  redactText(text: string): string {
    return this.#finder.replaceInText(text, this.#replace);
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

  readonly #mayFind: ByteTest = (bytes, start, end) => this.#finder.mayFind(bytes, start, end);

  readonly #replace = ({ text }: { readonly text: string }): string | undefined => {
    // Records of a spool may be redacted already.
    if (text === this.#replacement || text === JSON.stringify(this.#replacement)) return undefined;
    this.#values++;
    return this.#replacement;
  };
}
