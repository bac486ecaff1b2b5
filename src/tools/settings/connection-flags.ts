import type { Command } from 'commander';
import { DEFAULT_URL } from '../output/environment.ts';
import { wholeNumber } from '../output/flag-values.ts';

/** Flags for the connection. Most can also be set by the environment or a profile. */
export interface ConnectionFlags {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly repository?: string;
  readonly cloud?: string;
  readonly clientId?: string;
  readonly clientSecretFile?: string;
  readonly memberCid?: string;
  readonly profile?: string;
  readonly config?: string;
  readonly caFile?: string;
  readonly insecure?: boolean;
  readonly timeout?: number;
}

/** For the help of a flag that takes a secret, which `secretOf` reads. */
export const SECRET_SOURCES = 'Other users can see arguments: pass "@path" to read a file, or "-" for stdin.';

/** Adds the connection flags to a command. */
export function addConnectionFlags(command: Command): Command {
  return command
    .optionsGroup('Connection:')
    .option('--url <address>', `Service address. Default: LOGSCALE_URL, a running server, or ${DEFAULT_URL}.`)
    .option('-r, --repository <name>', 'Repository or view. Default: LOGSCALE_REPOSITORY.')
    .option(
      '--token-file <path>',
      'File with the token ("-" for stdin). Default: the token in LOGSCALE_TOKEN.',
    )
    .option('--token <token>', `The token itself. ${SECRET_SOURCES}`)
    .option(
      '--cloud <name>',
      'CrowdStrike cloud, for Next-Gen SIEM: us-1, us-2, eu-1 or us-gov-1. Default: FALCON_CLOUD.',
    )
    .option('--client-id <id>', 'ID of the API client, for Next-Gen SIEM. Default: FALCON_CLIENT_ID.')
    .option(
      '--client-secret-file <path>',
      'File that contains the secret of the API client ("-" for stdin). Default: the secret in FALCON_CLIENT_SECRET.',
    )
    .option('--member-cid <cid>', 'Member account in Falcon Flight Control. Default: FALCON_MEMBER_CID.')
    .option(
      '-u, --profile <name>',
      'Profile saved by "logclient auth login", or in the humioctl config file. Default: LOGSCALE_PROFILE.',
    )
    .option('--config <path>', 'humioctl config file. Default: ~/.humio/config.yaml.')
    .option('--ca-file <path>', 'PEM file with a CA certificate to trust. Default: LOGSCALE_CA_FILE.')
    .option('--insecure', 'Skip certificate verification. For testing only.')
    .option('--timeout <seconds>', 'Timeout for each request. Default: 30.', wholeNumber(1, 86_400));
}
