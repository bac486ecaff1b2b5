import { type Command, Option } from 'commander';
import { nameList, timeZoneName } from '../flag-values.ts';
import type { ColorChoice } from './colors.ts';

export const OUTPUT_NAMES = ['table', 'raw', 'ndjson', 'json', 'csv', 'logfmt', 'template'] as const;
export type OutputName = (typeof OUTPUT_NAMES)[number];

/** How a command shows rows. */
export interface OutputFlags {
  readonly output?: OutputName;
  readonly json?: boolean;
  readonly template?: string;
  readonly fields?: readonly string[];
  readonly color?: ColorChoice;
  readonly timezone?: string;
  /** `--no-chart` */
  readonly chart?: boolean;
  readonly quiet?: boolean;
}

/** Gives a command the flags that say how rows are shown. */
export function addOutputFlags(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .addOption(
      new Option(
        '-o, --output <format>',
        'How to show rows. Default: table on a terminal, ndjson in a pipe.',
      ).choices(OUTPUT_NAMES),
    )
    .option('--json', 'The same as --output json.')
    .option('--template <text>', "Each row through a text of yours, such as '{@timestamp} {level} {msg}'.")
    .option('--fields <names>', 'The fields to show, with commas between them.', nameList)
    .option(
      '--timezone <name>',
      'The time zone of times and of buckets. Default: that of this computer.',
      timeZoneName,
    )
    .option('--no-chart', 'Do not draw results on a terminal.')
    .addOption(
      new Option(
        '--color <when>',
        'Colors: auto looks at the terminal, NO_COLOR and FORCE_COLOR. Default: auto.',
      ).choices(['auto', 'always', 'never']),
    )
    .option('-q, --quiet', 'No progress and no notes on stderr, only errors.');
}
