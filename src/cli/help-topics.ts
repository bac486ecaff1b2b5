import type { Command } from 'commander';

/** What users need to know beside the commands, by the name that `logclient help` takes. */
const TOPICS: Readonly<Record<string, { summary: string; text: string }>> = {
  'exit-codes': {
    summary: 'What the exit code says.',
    text: `Exit codes:

  0    it worked; also Ctrl-C on a tail or a live query, and a reader that closed the pipe (| head)
  1    it failed: the service can't be reached or refuses, --fail-on-empty, --fail-on-match
  2    the command line is wrong; nothing was done
  4    there is no token, or the service does not accept it
  130  Ctrl-C ended it before its end (143: SIGTERM)`,
  },
  environment: {
    summary: 'The environment variables, and what stands before what.',
    text: `A flag counts before the environment, that before a profile, that before the default.
"logclient auth status" shows what is used, and where it comes from.

  LOGSCALE_URL           the address; also LOGSCALE_BASE_URL, HUMIO_ADDRESS, HUMIO_BASE_URL
  LOGSCALE_TOKEN         the user's token; also LOGSCALE_API_TOKEN, HUMIO_TOKEN
  LOGSCALE_INGEST_TOKEN  a token to ingest with
  LOGSCALE_REPOSITORY    the repository or view
  LOGSCALE_PROFILE       a profile of ~/.humio/config.yaml, the config file of humioctl
  LOGSCALE_CA_FILE       a PEM file with a certificate to trust
  HUMIO_CA_CERTIFICATE   the certificate itself
  LOGSCALE_INSECURE      "true": do not check the certificate; also HUMIO_INSECURE
  HTTPS_PROXY, NO_PROXY  a proxy, and what goes without it; HTTP_PROXY for http:
  NO_COLOR, FORCE_COLOR  no colours, colours in a pipe too; also CLICOLOR_FORCE`,
  },
  output: {
    summary: 'The formats of --output.',
    text: `Formats of --output:

  table     for people: a line for each event, a table with bars for aggregates; the default on a terminal
  raw       the text of events as it was sent; the bare value of a result that is one, for $(…)
  ndjson    a JSON object a line; the default in a pipe
  json      one JSON array
  csv       with a header
  logfmt    name=value pairs
  template  a text of yours: --template '{@timestamp} {level} {msg}'; {@timestamp:ms} for milliseconds, {{ for a brace

Data goes to stdout; progress, notes and warnings go to stderr. On a terminal, control characters in logs are shown
as \\x1b and have no effect.`,
  },
};

/** Adds the topics of `logclient help <topic>`. */
export function addHelpTopics(program: Command): void {
  for (const [name, { summary, text }] of Object.entries(TOPICS)) {
    program
      .command(name)
      .description(summary)
      .helpOption(false)
      .configureHelp({ formatHelp: () => `${text}\n` })
      .action(() => {
        process.stdout.write(`${text}\n`);
      });
  }
}
