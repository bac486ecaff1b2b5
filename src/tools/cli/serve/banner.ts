import { networkInterfaces } from 'node:os';
import { version } from '../../../../package.json' with { type: 'json' };
import { isLoopbackHost } from '../../../core/allowed-hosts.ts';
import { createColors } from '../../output/colors.ts';
import type { StartedServer } from './start-server.ts';
import { variableLines } from './variables.ts';

export interface BannerOptions {
  readonly host: string;
  readonly dataDir?: string;
  /** Programs with the same environment find the server without settings. */
  readonly isDiscoverable: boolean;
}

const IN_MEMORY = 'in memory only; pass --data-dir <path> to keep it';

/** The banner of `logclient serve`: the address, then what to do next. */
export function printBanner(server: StartedServer, options: BannerOptions): string {
  const { dataDir, isDiscoverable } = options;
  const { LOGSCALE_REPOSITORY: repository } = server.variables;
  const lines = [
    `logclient ${version}: ${server.kind} listening at ${colors().bold(server.url)}`,
    ...(server.pageUrl === undefined ? [] : [row('page', server.pageUrl)]),
    ...(isDiscoverable
      ? [
          row('apps', 'start them as usual: on this computer, logclient finds this server without settings'),
          row('log', 'npx logclient tail'),
          row(
            'settings',
            'npx logclient serve --env prints the address and tokens for .env files and shells',
          ),
        ]
      : variableLines(server.variables, 'posix').map((line) => `  ${line}`)),
    ...Object.entries(server.moreIngestTokens).map(([name, token]) => row(name, `ingest token ${token}`)),
    ...networkRows(server, options),
    row('data', dataDir === undefined ? IN_MEMORY : `${dataDir}, default repository ${repository}`),
    'Press Ctrl-C to stop.',
  ];
  return `${lines.join('\n')}\n`;
}

function networkRows({ url }: StartedServer, { host }: BannerOptions): string[] {
  if (isLoopbackHost(host)) return [];
  const isEvery = host === '0.0.0.0' || host === '::';
  const addresses = isEvery ? lanAddresses(new URL(url).port) : [url];
  return [
    row('network', addresses.join(', ') || 'no network connection'),
    `  ${colors().yellow('Other computers can reach this server. Only its tokens protect it.')}`,
  ];
}

/** The addresses at which other computers can reach this one. */
function lanAddresses(port: string): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => `http://${address}:${port}`);
}

/** A line of a banner. */
export function row(name: string, value: string): string {
  return `  ${colors().dim(name.padEnd(8))}  ${value}`;
}

const colors = () => createColors(process.stdout.isTTY === true);
