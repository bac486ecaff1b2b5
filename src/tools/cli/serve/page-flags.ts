import type { Command } from 'commander';
import { hostNames, wholeNumber } from '../../output/flag-values.ts';

/** First port of the commands that only show the web page, so that browsers keep its settings from visit to visit. */
const FIRST_PORT = 5747;

export const PAGE_PORTS: readonly number[] = Array.from({ length: 20 }, (_, n) => FIRST_PORT + n);

/** The flags of the commands that only show the web page. */
export interface PageFlags {
  readonly port?: number;
  readonly open?: boolean;
  readonly allowHost?: readonly string[];
}

export function addPageFlags(command: Command): void {
  addLinkFlags(command);
  command.option(
    '--allow-host <name>',
    'Host name under which browsers can open the page, besides localhost and IP addresses. Repeatable.',
    hostNames,
  );
}

/** The flags of every command that prints a link to a page. */
export function addLinkFlags(command: Command): void {
  command
    .option(
      '-p, --port <number>',
      `Port of the page; 0 picks a free one. Default: ${FIRST_PORT}, or the next free port.`,
      wholeNumber(0, 65_535),
    )
    .option('--open', 'Open the page in a browser. Default: if stdout is a terminal.')
    .option('--no-open', 'Only print the link to the page.');
}
