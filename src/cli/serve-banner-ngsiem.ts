import pc from 'picocolors';
import { version } from '../../package.json' with { type: 'json' };
import { type BannerFlags, commonRows, inShell, row } from './serve-banner-lines.ts';

interface RunningServer {
  readonly url: string;
  readonly repository: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly hecUrl: string;
  readonly hecToken: string;
}

/** The banner of `logclient serve --ngsiem`: address, credentials, and lines to paste. */
export function printNgsiemBanner(server: RunningServer, flags: BannerFlags): string {
  const { url, repository, clientId, clientSecret, hecUrl, hecToken } = server;
  const record = '{"event": {"message": "hello"}}';
  const lines = [
    `logclient ${version}: local Next-Gen SIEM server listening at ${pc.bold(url)}`,
    '',
    row('client ID', clientId),
    row('client secret', clientSecret),
    row('repositories', 'search-all, investigate_view, third-party'),
    row('HEC connector', hecUrl),
    row('API key', hecToken),
    ...commonRows(flags),
    '',
    pc.dim('environment for queries'),
    `  export FALCON_CLIENT_ID=${inShell(clientId)} FALCON_CLIENT_SECRET=${inShell(clientSecret)}`,
    `  export FALCON_BASE_URL=${inShell(url)}`,
    pc.dim('environment for transports (pino, winston)'),
    `  export LOGSCALE_FORMAT=hec LOGSCALE_INGEST_URL=${inShell(hecUrl)}`,
    `  export LOGSCALE_INGEST_TOKEN=${inShell(hecToken)}`,
    pc.dim('send a record with curl'),
    `  curl ${inShell(hecUrl)} -H ${inShell(`Authorization: Bearer ${hecToken}`)} -d ${inShell(record)}`,
    pc.dim('query with logclient (needs the environment for queries)'),
    `  logclient query --repository ${repository} 'message=hello'`,
    pc.dim('get an access token with curl'),
    `  curl ${inShell(`${url}/oauth2/token`)} -d ${inShell(`client_id=${encodeURIComponent(clientId)}`)} -d ${inShell(`client_secret=${encodeURIComponent(clientSecret)}`)}`,
    '',
    'Press Ctrl-C to stop.',
  ];
  return `${lines.join('\n')}\n`;
}
