import { SecretFinder } from '../../core/secrets/secret-finder.ts';
import type { ResolvedRedactOptions } from '../redact-options.ts';
import { type ByteTest, createRecord, type IngestRecord } from './record.ts';
import { MAX_CACHED_TAGS } from './tags.ts';

/** Replaces secrets in records. Records without secrets are neither copied nor parsed. */
export class RecordRedactor {
  readonly #finder: SecretFinder;
  /** Tags without secrets, as JSON. */
  readonly #plainTags = new Set<string>();
  /** Number of values that the last call of {@link redact} has replaced. */
  values = 0;

  constructor(options: ResolvedRedactOptions) {
    this.#finder = new SecretFinder(options);
  }

  /** @returns the same record if it contains no secret; `undefined` if it can't be searched. */
  redact(record: IngestRecord): IngestRecord | undefined {
    this.values = 0;
    try {
      const tags = this.#redactedTags(record.tagsText);
      const event = record.some(this.#mayFind) ? this.#redactedEvent(record.eventText) : undefined;
      return this.values === 0 ? record : createRecord(event ?? record.eventText, tags);
    } catch {
      return undefined; // Not JSON, or too deep.
    }
  }

  /** Replaces secrets in a message. */
  redactText(text: string): string {
    return this.#finder.replaceInText(text, this.#replace);
  }

  #redactedEvent(eventText: string): string {
    JSON.parse(eventText); // Throws if it is not JSON.
    return this.#finder.replaceInJson(eventText, this.#replace, { isEvent: true });
  }

  #redactedTags(tagsText: string): string {
    if (tagsText === '' || this.#plainTags.has(tagsText)) return tagsText;
    const text = this.#finder.replaceInJson(tagsText, this.#replace);
    if (this.#plainTags.size >= MAX_CACHED_TAGS) this.#plainTags.clear();
    if (text === tagsText) this.#plainTags.add(text);
    return text;
  }

  readonly #mayFind: ByteTest = (bytes, start, end) => this.#finder.mayFind(bytes, start, end);

  readonly #replace = (): string => {
    this.values++;
    return this.#finder.replacement;
  };
}
