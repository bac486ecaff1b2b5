import { SecretFinder, type SecretFinderOptions } from '../../core/secrets/secret-finder.ts';
import type { LogEvent } from '../../index.ts';

/** Replaces secrets in what reports show, before they cut it. */
export class ReportMask {
  readonly #finder: SecretFinder | undefined;
  readonly #replace: () => string;

  /** @param redact `undefined` to show everything. */
  constructor(redact: (SecretFinderOptions & { readonly replacement: string }) | undefined) {
    this.#finder = redact && new SecretFinder(redact);
    this.#replace = () => redact?.replacement ?? '';
  }

  text(text: string): string {
    return this.#finder?.replaceInText(text, this.#replace) ?? text;
  }

  record<Fields extends LogEvent>(record: Fields): Fields {
    if (this.#finder === undefined) return record;
    return JSON.parse(this.#finder.replaceInJson(JSON.stringify(record), this.#replace));
  }
}
