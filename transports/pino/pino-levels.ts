/** pino's own labels, for lines that come before or without a configuration. */
const DEFAULT_LABELS: Readonly<Record<string, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** The labels of a logger's levels. */
export class PinoLevels {
  #labels = DEFAULT_LABELS;

  /** @param labels by number; pino's own when there are none. */
  configure(labels: Readonly<Record<string, string>> | undefined): void {
    this.#labels = labels ?? DEFAULT_LABELS;
  }

  /** @returns `undefined` for a level that has none. */
  labelOf(level: number): string | undefined {
    const label = Object.hasOwn(this.#labels, String(level)) ? this.#labels[String(level)] : undefined;
    return typeof label === 'string' ? label : undefined;
  }
}
