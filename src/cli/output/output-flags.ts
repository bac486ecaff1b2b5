import { type Command, Option } from 'commander';
import { nameList, timeZoneName } from '../flag-values.ts';
import type { ColorChoice } from './colors.ts';

export const OUTPUT_NAMES = [
  'table',
  'pretty',
  'raw',
  'ndjson',
  'json',
  'csv',
  'logfmt',
  'template',
] as const;
export type OutputName = (typeof OUTPUT_NAMES)[number];

/** Flags for the output of rows. */
export interface OutputFlags {
  readonly output?: OutputName;
  readonly json?: boolean;
  readonly template?: string;
  readonly fields?: readonly string[];
  readonly color?: ColorChoice;
  readonly timezone?: string;
  /** `--no-chart` */
  readonly chart?: boolean;
  /** `--no-pager` */
  readonly pager?: boolean;
  readonly quiet?: boolean;
}

/** Adds the output flags to a command. */
export function addOutputFlags(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .addOption(
      new Option(
        '-o, --output <format>',
        'Output format. Default: table on a terminal, ndjson in a pipe.',
      ).choices(OUTPUT_NAMES),
    )
    .option('--json', 'Shorthand for --output json.')
    .option('--template <text>', "Custom template for each row, such as '{level} {msg}'.")
    .option('--fields <names>', 'Fields to show, comma-separated.', nameList)
    .option(
      '--timezone <name>',
      'Time zone for times and buckets, such as UTC. Default: local time.',
      timeZoneName,
    )
    .option('--no-chart', "Don't draw charts or bars on a terminal.")
    .option('--no-pager', "Don't use the pager in LOGCLIENT_PAGER or PAGER.")
    .addOption(
      new Option(
        '--color <when>',
        'When to use color; auto depends on the terminal, NO_COLOR and FORCE_COLOR. Default: auto.',
      ).choices(['auto', 'always', 'never']),
    )
    .option('-q, --quiet', 'Show only errors on stderr.');
}
