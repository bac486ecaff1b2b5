import type { Command, Help } from 'commander';
import { DEFAULT_URL } from './settings/environment.ts';

interface Topic {
  readonly summary: string;
  readonly title: string;
  readonly rows: readonly (readonly [term: string, meaning: string])[];
  readonly notes: readonly string[];
}

/** The topics of `logclient help <topic>`, by name. */
const TOPICS: Readonly<Record<string, Topic>> = {
  'exit-codes': {
    summary: 'Exit codes.',
    title: 'Exit codes:',
    rows: [
      ['0', 'Success. Also Ctrl-C on tail, query --live and ingest --follow, and a closed pipe (| head).'],
      ['1', 'Failure: an error of the service, an invalid query, --fail-on-empty or --fail-on-match.'],
      ['2', 'Invalid command line; nothing was done.'],
      ['4', 'The token is missing, rejected or lacks permission.'],
      ['130, 143', 'Stopped early by Ctrl-C (130) or SIGTERM (143).'],
    ],
    notes: [],
  },
  environment: {
    summary: 'Environment variables and their precedence.',
    title: 'Environment variables:',
    rows: [
      [
        'LOGSCALE_URL',
        `Address. Also LOGSCALE_BASE_URL, HUMIO_ADDRESS, HUMIO_BASE_URL. Default: ${DEFAULT_URL}.`,
      ],
      ['LOGSCALE_TOKEN', 'User token. Also LOGSCALE_API_TOKEN, HUMIO_TOKEN.'],
      ['LOGSCALE_INGEST_TOKEN', 'Token for ingest.'],
      ['LOGSCALE_REPOSITORY', 'Repository or view.'],
      ['LOGSCALE_PROFILE', 'Profile in ~/.humio/config.yaml, the humioctl config file.'],
      ['LOGSCALE_CA_FILE', 'PEM file with a CA certificate to trust.'],
      ['HUMIO_CA_CERTIFICATE', 'The certificate itself.'],
      ['LOGSCALE_INSECURE', '"true" skips the certificate check. Also HUMIO_INSECURE.'],
      ['HTTPS_PROXY, HTTP_PROXY', 'Proxy for https: and http: addresses.'],
      ['NO_PROXY', 'Hosts that bypass the proxy.'],
      ['NO_COLOR', 'Turns colors off.'],
      ['FORCE_COLOR', 'Turns colors on in a pipe. Also CLICOLOR_FORCE.'],
    ],
    notes: [
      'Flags override environment variables, which override a profile, which overrides defaults. "logclient auth status" shows each setting and where it comes from.',
    ],
  },
  output: {
    summary: 'Output formats.',
    title: 'Formats of --output:',
    rows: [
      [
        'table',
        'For reading; the default on a terminal. Events: one line each. Aggregates: a table with bars.',
      ],
      ['ndjson', 'One JSON object per line; the default in a pipe.'],
      ['json', 'One JSON array.'],
      ['csv', 'CSV with a header.'],
      ['logfmt', 'name=value pairs.'],
      ['raw', 'The text of each event as it was sent. For a single value, only the value.'],
      [
        'template',
        "A custom template: --template '{@timestamp} {level} {msg}'. {@timestamp:ms} is epoch milliseconds; {{ and }} are braces.",
      ],
    ],
    notes: [
      'Data goes to stdout; progress, warnings and questions go to stderr. On a terminal, control characters in logs are shown as \\x1b and have no effect.',
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

function topicText({ title, rows, notes }: Topic, helper: Help): string {
  const width = Math.max(...rows.map(([term]) => term.length));
  const items = rows.map(([term, meaning]) => helper.formatItem(term, width, meaning, helper));
  const paragraphs = notes.map((note) => `\n${helper.boxWrap(note, helper.helpWidth ?? 80)}`);
  return `${[title, '', ...items, ...paragraphs].join('\n')}\n`;
}
