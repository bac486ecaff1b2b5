/** Options whose flags have other names. */
const OTHERS: Readonly<Record<string, string>> = {
  baseUrl: 'the address (--url or LOGSCALE_URL)',
  requestTimeoutMs: '--timeout',
};

/** The flag for an option. */
export function flagOf(option: string): string {
  return OTHERS[option] ?? `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A message for programs in terms of the command line: with flags instead of options. */
export function withFlagNames(message: string): string {
  const options = /"?\b(baseUrl|requestTimeoutMs|maxEvents|maxBytes)\b"?/g;
  return message.replace(options, (_, option: string) => flagOf(option));
}

/** The first of these names in a row with `word`. @param rows names of one idea each, separated by spaces */
export function synonymOf(word: string, names: readonly string[], rows: readonly string[]) {
  const others = rows.map((row) => row.split(' ')).filter((row) => row.includes(word));
  return others.flat().find((name) => names.includes(name));
}
