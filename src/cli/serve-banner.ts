import pc from 'picocolors';
import { version } from '../../package.json' with { type: 'json' };
import { type BannerFlags, commonRows, inScript, inShell, row } from './serve-banner-lines.ts';

interface RunningServer {
  readonly url: string;
  readonly repository: string;
  readonly userToken: string;
  readonly ingestToken: string;
  /** By repository. */
  readonly ingestTokens: Readonly<Record<string, string>>;
}

/** The banner of `logclient serve`: address, tokens, and snippets to paste into an app. */
export function printBanner(server: RunningServer, flags: BannerFlags): string {
  const { url, repository, userToken, ingestToken } = server;
  const options = `{ baseUrl: ${inScript(url)}, ingestToken: ${inScript(ingestToken)} }`;
  const endpoint = `${url}/api/v1/repositories/${encodeURIComponent(repository)}/query`;
  const lines = [
    `logclient ${version}: local server listening at ${pc.bold(url)}`,
    '',
    row('repository', repository),
    row('user token', userToken),
    row('ingest token', ingestToken),
    ...moreRepositories(server),
    ...commonRows(flags),
    '',
    pc.dim('pino'),
    `  pino(pino.transport({ target: 'logclient/pino', options: ${options} }))`,
    pc.dim("winston (import { LogTransport } from 'logclient/winston')"),
    `  winston.createLogger({ transports: [new LogTransport(${options})] })`,
    pc.dim('logclient tail, query and ingest (paste into another terminal)'),
    `  export LOGSCALE_URL=${inShell(url)} LOGSCALE_REPOSITORY=${inShell(repository)}`,
    `  export LOGSCALE_TOKEN=${inShell(userToken)} LOGSCALE_INGEST_TOKEN=${inShell(ingestToken)}`,
    pc.dim('query with curl'),
    `  curl ${inShell(endpoint)} -H ${inShell(`Authorization: Bearer ${userToken}`)} -H 'Accept: application/x-ndjson' -d '{"queryString": ""}'`,
    pc.dim('other log shippers (authenticate with the ingest token)'),
    `  HEC ${url}/services/collector, Elasticsearch ${url}/api/v1/ingest/elastic-bulk`,
    '',
    'Press Ctrl-C to stop.',
  ];
  return `${lines.join('\n')}\n`;
}

/** The other repositories with their ingest tokens. */
function moreRepositories({ repository, ingestTokens }: RunningServer): string[] {
  return Object.entries(ingestTokens)
    .filter(([name]) => name !== repository)
    .flatMap(([name, token]) => [row('repository', name), row('ingest token', token)]);
}
