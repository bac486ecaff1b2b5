import type { Command, Option } from 'commander';
import type { ColorChoice } from './colors.ts';
import { addFlags, type Flag } from './flag.ts';
import { nameList, timeZoneFlag } from './flag-values.ts';

export const OUTPUT_NAMES = [
  'table',
  'pretty',
  'raw',
  'ndjson',
  'jsonl',
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

/** How a command writes rows. */
export interface OutputOptions extends OutputFlags {
  /** Columns of a query result that are numbers in JSON; the service returns text. */
  readonly numberColumns?: readonly string[];
  /** Whether the numbers of the shape are numbers in JSON. */
  readonly numbers?: boolean;
}

/**
 * What a command writes: the rows of a query, another result, events without an end, a list, or only a note about what it
 * did. Charts, the time zone and the pager belong to some of them.
 */
export type OutputKind = 'query' | 'result' | 'events' | 'list' | 'note';

export const COLOR: Flag = [
  '--color <when>',
  'When to use color; auto depends on the terminal, NO_COLOR and FORCE_COLOR. Default: auto.',
  ['auto', 'always', 'never'],
];

/** Adds the output flags that a command uses. */
export function addOutputFlags(command: Command, kind: OutputKind): void {
  addFlags(command.optionsGroup('Output:'), [
    ...(kind === 'note' ? [] : rowFlags(kind)),
    ['-q, --quiet', 'Show only errors on stderr.'],
    ...only(kind === 'query', '--numbers', 'In JSON, write the results of functions as numbers.'),
  ]);
}

function only(isAdded: boolean, ...flag: Exclude<Flag, Option>): readonly Flag[] {
  return isAdded ? [flag] : [];
}

function rowFlags(kind: OutputKind): readonly Flag[] {
  return [
    ['-o, --output <format>', 'Output format. Default: table on a terminal, ndjson in a pipe.', OUTPUT_NAMES],
    ['--json', 'Shorthand for --output json.'],
    ['--template <text>', "Custom template for each row, such as '{level} {msg}'."],
    ['--fields <names>', 'Fields to show, comma-separated.', nameList],
    ...only(
      kind !== 'list',
      '--timezone <name>',
      'Time zone for output, and for flags and lines without a zone, such as UTC. Default: local time.',
      timeZoneFlag,
    ),
    ...only(kind === 'query' || kind === 'result', '--no-chart', "Don't draw charts or bars on a terminal."),
    ...only(kind !== 'events', '--no-pager', "Don't use the pager in LOGCLIENT_PAGER or PAGER."),
    COLOR,
  ];
}

/** The flag for the times in lines. */
export const LINE_TIME_ZONE = [
  '--timezone <name>',
  'Time zone of times in lines that have none, such as UTC. Default: local time.',
  timeZoneFlag,
] as const satisfies Flag;
