import type { Command } from 'commander';
import { DEFAULT_URL } from '../../core/environment.ts';
import { addFlags, type Flag, type FlagsOf } from '../output/flag.ts';
import { wholeNumber } from '../output/flag-values.ts';

/** For the help of a flag that takes a secret, which `secretOf` reads. */
export const SECRET_SOURCES = 'Other users can see arguments: pass "@path" to read a file, or "-" for stdin.';

const CONNECTION_FLAGS = [
  ['--url <address>', `Service address. Default: LOGSCALE_URL, a running server, or ${DEFAULT_URL}.`],
  ['-r, --repository <name>', 'Repository or view. Default: LOGSCALE_REPOSITORY.'],
  ['--token-file <path>', 'File with the token ("-" for stdin). Default: the token in LOGSCALE_TOKEN.'],
  ['--token <token>', `The token itself. ${SECRET_SOURCES}`, undefined, 'tokenFile'],
  [
    '--cloud <name>',
    'CrowdStrike cloud, for Next-Gen SIEM: us-1, us-2, eu-1 or us-gov-1. Default: FALCON_CLOUD.',
  ],
  ['--client-id <id>', 'ID of the API client, for Next-Gen SIEM. Default: FALCON_CLIENT_ID.'],
  [
    '--client-secret-file <path>',
    'File that contains the secret of the API client ("-" for stdin). Default: the secret in FALCON_CLIENT_SECRET.',
  ],
  ['--member-cid <cid>', 'Member account in Falcon Flight Control. Default: FALCON_MEMBER_CID.'],
  [
    '-u, --profile <name>',
    'Profile saved by "logclient auth login", or in the humioctl config file. Default: LOGSCALE_PROFILE.',
  ],
  ['--config <path>', 'humioctl config file. Default: ~/.humio/config.yaml.'],
  ['--ca-file <path>', 'PEM file with a CA certificate to trust. Default: LOGSCALE_CA_FILE.'],
  ['--insecure', 'Skip certificate verification. For testing only.'],
  ['--timeout <seconds>', 'Timeout for each request. Default: 30.', wholeNumber(1, 86_400)],
] as const satisfies readonly Flag[];

/** Flags for the connection. Most can also be set by the environment or a profile. */
export type ConnectionFlags = FlagsOf<typeof CONNECTION_FLAGS>;

/** Adds the connection flags to a command. */
export function addConnectionFlags(command: Command): Command {
  return addFlags(command.optionsGroup('Connection:'), CONNECTION_FLAGS);
}
