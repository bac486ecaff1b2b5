import { SecretFinder, type SecretFinderOptions } from '../../core/secrets/secret-finder.ts';
import { DEFAULT_KINDS } from '../../core/secrets/secret-kinds.ts';
import type { LogEvent } from '../../index.ts';
import { loggedRecord, namesBelow } from '../expectations/logged-fields.ts';

/** Replaces secrets in what reports show, before they cut it. */
export class ReportMask {
  #options: SecretFinderOptions;
  #finder: SecretFinder | undefined;

  /** @param redact what is secret besides the default. */
  constructor(redact: SecretFinderOptions = {}) {
    this.#options = { ...redact, kinds: { ...DEFAULT_KINDS, email: redact.kinds?.email ?? false } };
  }

  /** Also replaces the values of these fields. */
  addKeys(keys: readonly string[]): void {
    this.#options = { ...this.#options, keys: [...(this.#options.keys ?? []), ...keys] };
    this.#finder = undefined;
  }

  text(text: string, note?: (path: string) => undefined): string {
    this.#finder ??= new SecretFinder(this.#options);
    const { replacement } = this.#finder;
    return this.#finder.replaceInText(text, ({ path }) => note?.(path) ?? replacement);
  }

  record<Fields extends LogEvent>(record: Fields): Fields {
    const paths: string[] = [];
    this.text(JSON.stringify(loggedRecord(record)), (path) => void paths.push(path));
    const masked = JSON.parse(this.text(JSON.stringify(record)));
    // Of an object below a secret name, each value is secret.
    for (const path of paths)
      for (const name of namesBelow(record, path))
        if (name !== path) masked[name] = this.#finder!.replacement;
    return masked;
  }
}
