import pc from 'picocolors';
import { version } from '../../package.json' with { type: 'json' };

interface RunningServer {
  readonly url: string;
  readonly repository: string;
  readonly userToken: string;
  readonly ingestToken: string;
  /** By repository. */
  readonly ingestTokens: Readonly<Record<string, string>>;
}

interface BannerFlags {
  readonly host: string;
  readonly dataDir?: string;
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
    row('data', flags.dataDir ?? 'in memory only; pass --data-dir <path> to keep it'),
    ...openToOthers(flags.host),
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

/** Quotes a string for JavaScript; custom tokens may contain quotes. */
function inScript(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function row(name: string, value: string): string {
  return `  ${pc.dim(name.padEnd(12))}  ${value}`;
}

/** The other repositories with their ingest tokens. */
function moreRepositories({ repository, ingestTokens }: RunningServer): string[] {
  return Object.entries(ingestTokens)
    .filter(([name]) => name !== repository)
    .flatMap(([name, token]) => [row('repository', name), row('ingest token', token)]);
}

function openToOthers(host: string): string[] {
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
  return isLoopback
    ? []
    : [`  ${pc.yellow('Other computers can reach this server. Only its tokens protect it.')}`];
}
