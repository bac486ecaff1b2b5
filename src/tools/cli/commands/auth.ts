import type { OutputFlags } from '../../output/output-flags.ts';
import type { ConnectionFlags } from '../../settings/connection-flags.ts';
import type { CommandGroup, CommandRow } from '../command.ts';

const STATUS: CommandRow<ConnectionFlags & OutputFlags> = {
  usage: 'status',
  about:
    'Show the kind of service and each setting with its origin, and check them with one query. Hides secrets.',
  output: 'list',
  connects: true,
  examples: [
    ['logclient auth status', 'show the service, address, credentials and other settings in use'],
    ['logclient auth status -o json', 'print the settings as JSON'],
  ],
  run: async (flags) => (await import('../auth/auth-status.ts')).authStatus(flags),
};

const LOGIN: CommandRow<ConnectionFlags> = {
  usage: 'login',
  about:
    'Save credentials as a profile. Writes ~/.config/logclient/config.yaml, which only you can read. Asks for what the flags do not set, and reads the secret from stdin if that is not a terminal. Saves nothing if the service rejects the credentials.',
  connects: true,
  examples: [
    ['logclient auth login', 'save an API client of Next-Gen SIEM as the default profile'],
    [
      'logclient auth login -u prod --cloud eu-1 --client-id $ID < secret.txt',
      'save a named profile without questions',
    ],
    ['logclient auth login -u test --url $URL -r app --token-file token.txt', 'save a LogScale token'],
  ],
  run: async (flags) => (await import('../auth/auth-login.ts')).authLogin(flags),
};

const LOGOUT: CommandRow<Pick<ConnectionFlags, 'profile'>> = {
  usage: 'logout',
  about: 'Remove a profile that "logclient auth login" saved.',
  flags: [['-u, --profile <name>', 'Profile to remove. Default: the default profile.']],
  examples: [['logclient auth logout --profile prod', 'remove a profile']],
  run: async (flags) => (await import('../auth/auth-login.ts')).authLogout(flags),
};

export const AUTH: CommandGroup = {
  name: 'auth',
  about: 'Show the settings in use, and manage profiles.',
  commands: [STATUS, LOGIN, LOGOUT],
};
