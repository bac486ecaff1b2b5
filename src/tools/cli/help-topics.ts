import { Command, type Help } from 'commander';
import { DEFAULT_URL } from '../../core/environment.ts';
import { addOutputFlags } from '../output/output-flags.ts';
import { addConnectionFlags } from '../settings/connection-flags.ts';

interface Topic {
  readonly summary: string;
  readonly title?: string;
  readonly rows?: readonly (readonly [term: string, meaning: string])[];
  /** Adds the flags that the topic lists. */
  readonly flags?: (command: Command) => unknown;
  readonly notes: readonly string[];
}

const PRECEDENCE =
  'Flags override a profile set with --profile, which overrides environment variables, which override any other profile, which overrides the defaults. Without any of them, a local server that is running on this computer is used. "logclient auth status" shows each setting and where it comes from.';

/** The topics of `logclient help <topic>`, by name. */
const TOPICS: Readonly<Record<string, Topic>> = {
  'exit-codes': {
    summary: 'Exit codes and their meanings.',
    title: 'Exit codes:',
    rows: [
      [
        '0',
        'Success. Also after Ctrl-C in tail, query --live, ingest --follow (undelivered records: 1), ui or view, and any signal in serve.',
      ],
      [
        '1',
        'Failure: the service is unreachable or returned an error, the query is invalid, --fail-on-empty or --fail-on-match applied (--fail-code sets another code), or a check found something: lint, scan, diff, tests, --check.',
      ],
      ['2', 'Invalid command line, nothing to check, or a deletion without --yes. Nothing was done.'],
      ['3', 'The name of what to create or rename is in use.'],
      [
        '4',
        'The token or API client is missing, was rejected, or lacks permission. On Next-Gen SIEM, also an exceeded rate limit.',
      ],
      ['129, 130, 143', 'Stopped by a closed terminal (129), Ctrl-C (130) or SIGTERM (143).'],
    ],
    notes: ['"logclient serve -- <program>" exits with the code of the program.'],
  },
  environment: {
    summary: 'Environment variables and their precedence.',
    title: 'Environment variables:',
    rows: [
      [
        'LOGSCALE_URL',
        `Address of the service. Also LOGSCALE_BASE_URL, HUMIO_ADDRESS, HUMIO_BASE_URL. Default: ${DEFAULT_URL}.`,
      ],
      ['LOGSCALE_TOKEN', 'User token. Also LOGSCALE_API_TOKEN, HUMIO_TOKEN.'],
      ['LOGSCALE_INGEST_TOKEN', 'Ingest token, for "logclient ingest". Also HUMIO_INGEST_TOKEN.'],
      ['LOGSCALE_TAGS', 'Tags for "logclient ingest", such as "service=shop,env=production".'],
      ['LOGSCALE_REPOSITORY', 'Name of the repository or view. Also HUMIO_REPOSITORY.'],
      ['LOGSCALE_PROFILE', 'Profile in ~/.config/logclient/config.yaml, or ~/.humio/config.yaml (humioctl).'],
      ['FALCON_CLIENT_ID, FALCON_CLIENT_SECRET', 'API client of Next-Gen SIEM, instead of a token.'],
      ['FALCON_CLOUD', 'CrowdStrike cloud: us-1, us-2, eu-1 or us-gov-1. Default: us-1.'],
      ['FALCON_BASE_URL', 'Address of the Next-Gen SIEM API, instead of FALCON_CLOUD.'],
      ['FALCON_MEMBER_CID', 'Member account in Falcon Flight Control.'],
      ['LOGSCALE_CA_FILE', 'PEM file with a CA certificate to trust.'],
      ['HUMIO_CA_CERTIFICATE', 'CA certificate to trust, in PEM format.'],
      ['LOGSCALE_INSECURE', '"true" skips certificate verification. Also HUMIO_INSECURE.'],
      ['LOGCLIENT_DISCOVERY', '"off" ignores a local server that is running on this computer.'],
      ['LOGCLIENT_USER_TOKEN', 'User token that "serve" uses.'],
      ['LOGCLIENT_INGEST_TOKEN', 'Ingest token that "serve" uses.'],
      ['HTTPS_PROXY, HTTP_PROXY', 'Proxies for https: and http: addresses.'],
      ['NO_PROXY', 'Hosts that bypass the proxy.'],
      ['NO_COLOR', 'Turns colors off.'],
      ['FORCE_COLOR', 'Turns colors on in a pipe. Also CLICOLOR_FORCE.'],
      ['LOGCLIENT_PAGER', 'Pager for results on a terminal. Empty turns it off. Also PAGER.'],
    ],
    notes: [PRECEDENCE],
  },
  connection: {
    summary: 'Flags for the address, the credentials and the repository.',
    flags: addConnectionFlags,
    notes: [PRECEDENCE],
  },
  output: {
    summary: 'Output formats, flags and streams.',
    flags: (command) => addOutputFlags(command, 'query'),
    title: 'Formats of --output:',
    rows: [
      ['table', 'Default on a terminal: one line for each event, a table with bars for aggregates.'],
      ['pretty', 'All fields of each event, one per line, with folded stacks and indented JSON.'],
      [
        'ndjson',
        'One JSON object per line; the default in a pipe. Lists have JSON types; values of events are text.',
      ],
      ['json', 'One JSON array.'],
      ['csv', 'CSV with a header.'],
      ['logfmt', 'name=value pairs.'],
      ['raw', 'The text of each event as it was sent. If the result is a single value, only the value.'],
      [
        'template',
        "A custom template: --template '{@timestamp} {level} {msg}'. {@timestamp:ms} is the time in epoch milliseconds; {{ and }} are literal braces.",
      ],
    ],
    notes: [
      'Data goes to stdout; progress, warnings and prompts go to stderr. On a terminal, control characters in logs are shown as text, such as \\x1b, and have no effect.',
    ],
  },
};

/** Adds the topics of `logclient help <topic>`. */
export function addHelpTopics(program: Command): void {
  for (const [name, topic] of Object.entries(TOPICS)) {
    const command = program.command(name).description(topic.summary).helpOption(false);
    command
      .configureHelp({ ...command.configureHelp(), formatHelp: (_, helper) => topicText(topic, helper) })
      .action(() => command.outputHelp());
  }
}

function topicText({ title = '', rows = [], flags, notes }: Topic, helper: Help): string {
  const command = new Command();
  flags?.(command);
  const about = command.options.map(
    (one) => [helper.optionTerm(one), helper.optionDescription(one)] as const,
  );
  const lists = [[title, rows] as const, ['Flags:', about] as const].flatMap(([name, items]) => {
    const width = Math.max(...items.map(([term]) => term.length));
    const lines = items.map(([term, meaning]) => helper.formatItem(term, width, meaning, helper));
    return helper.formatItemList(name, lines, helper);
  });
  const paragraphs = notes.map((note) => helper.boxWrap(note, helper.helpWidth ?? 80));
  return `${[...lists, paragraphs.join('\n\n')].join('\n')}\n`;
}
