import type { Flag, FlagsOf } from '../../output/flag.ts';
import { hostNames, wholeNumber } from '../../output/flag-values.ts';

/** First port of the commands that only show the web page, so that browsers keep its settings from visit to visit. */
const FIRST_PORT = 5747;

export const PAGE_PORTS: readonly number[] = Array.from({ length: 20 }, (_, n) => FIRST_PORT + n);

/** The flags of every command that prints a link to a page. */
export const LINK_FLAGS = [
  [
    '-p, --port <number>',
    `Port of the page; 0 picks a free one. Default: ${FIRST_PORT}, or the next free port.`,
    wholeNumber(0, 65_535),
  ],
  ['--open', 'Open the page in a browser. Default: if stdout is a terminal.'],
  ['--no-open', 'Only print the link to the page.'],
] as const satisfies readonly Flag[];

/** The flags of the commands that only show the web page. */
export const PAGE_FLAGS = [
  ...LINK_FLAGS,
  [
    '--allow-host <name>',
    'Host name under which browsers can open the page, besides localhost and IP addresses. Repeatable.',
    hostNames,
  ],
] as const satisfies readonly Flag[];

export type PageFlags = FlagsOf<typeof PAGE_FLAGS>;
