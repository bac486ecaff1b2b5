import type { Command } from 'commander';
import { wholeNumber } from '../flag-values.ts';

/** How a command finds the service. All of them can come from the environment or a profile, too. */
export interface ConnectionFlags {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly repository?: string;
  readonly profile?: string;
  readonly config?: string;
  readonly caFile?: string;
  readonly insecure?: boolean;
  readonly timeout?: number;
}

/** Gives a command the flags that say where the service is and who asks. */
export function addConnectionFlags(command: Command): Command {
  return command
    .optionsGroup('Connection:')
    .option(
      '--url <address>',
      'The address of the service. Default: LOGSCALE_URL, else http://localhost:3000.',
    )
    .option('-r, --repository <name>', 'The repository or view to work with. Default: LOGSCALE_REPOSITORY.')
    .option(
      '--token-file <path>',
      'A file that holds the token, "-" for stdin. Default: the token in LOGSCALE_TOKEN.',
    )
    .option(
      '--token <token>',
      'The token itself. Other users of this computer can see it while the command runs.',
    )
    .option('-u, --profile <name>', "A profile of humioctl's config file. Default: LOGSCALE_PROFILE.")
    .option('--config <path>', 'The config file of humioctl. Default: ~/.humio/config.yaml.')
    .option('--ca-file <path>', 'A PEM file with a certificate to trust. Default: LOGSCALE_CA_FILE.')
    .option('--insecure', "Do not check the service's certificate. For tests alone.")
    .option('--timeout <seconds>', 'How long one request may take. Default: 30.', wholeNumber(1, 86_400));
}
