/** pino's default labels, until the configuration arrives. */
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

  /** @param labels labels by number. @default pino's labels */
  configure(labels: Readonly<Record<string, string>> | undefined): void {
    this.#labels = labels ?? DEFAULT_LABELS;
  }

  /** @returns `undefined` for a level without a label. */
  labelOf(level: number): string | undefined {
    const label = Object.hasOwn(this.#labels, String(level)) ? this.#labels[String(level)] : undefined;
    return typeof label === 'string' ? label : undefined;
  }
}
