import { Option } from 'commander';
import type { Flag } from '../../output/flag.ts';
import { nameList } from '../../output/flag-values.ts';

/** The format of a report on files. */
export const REPORT_FORMAT: Flag = [
  '-o, --output <format>',
  'Report format. Default: text.',
  ['text', 'json', 'github', 'junit', 'sarif'],
];

/** Names of members that have queries. */
export const KEYS: Flag = new Option(
  '--key <names>',
  'Further names of YAML and JSON members that have queries, comma-separated, such as rule.condition. Default: LOGCLIENT_QUERY_KEYS.',
)
  .argParser(nameList)
  .env('LOGCLIENT_QUERY_KEYS');
