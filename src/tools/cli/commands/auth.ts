import type { Command } from 'commander';
import { addOutputFlags } from '../../output/output-flags.ts';
import { addConnectionFlags } from '../../settings/connection-flags.ts';
import { withExamples } from '../examples.ts';

/** `logclient auth`: the settings in use, and profiles with credentials. */
export function addAuthCommand(program: Command): void {
  const auth = program
    .command('auth')
    .description('Show the settings in use, and manage profiles.')
    .helpCommand('help [command]', 'Show help for a command.');
  addStatus(auth);
  addLogin(auth);
  addLogout(auth);
}

function addStatus(auth: Command): void {
  const command = auth
    .command('status')
    .description(
      'Show the kind of service and each setting with its origin, and check them with one query. Hides secrets.',
    );
  withExamples(
    command,
    ['logclient auth status', 'show the service, address, credentials and other settings in use'],
    ['logclient auth status -o json', 'print the settings as JSON'],
  );
  addOutputFlags(command, 'list');
  addConnectionFlags(command);
  command.allowExcessArguments(false).action(async (flags) => {
    const { authStatus } = await import('../auth/auth-status.ts');
    await authStatus(flags);
  });
}

function addLogin(auth: Command): void {
  const command = auth
    .command('login')
    .summary('Save credentials as a profile.')
    .description(
      'Save credentials as a profile in ~/.config/logclient/config.yaml, which only you can read. Asks for what the flags do not set, and reads the secret from stdin if that is not a terminal. Saves nothing if the service rejects the credentials.',
    );
  withExamples(
    command,
    ['logclient auth login', 'save an API client of Next-Gen SIEM as the default profile'],
    [
      'logclient auth login -u prod --cloud eu-1 --client-id $ID < secret.txt',
      'save a named profile without questions',
    ],
    ['logclient auth login -u test --url $URL -r app --token-file token.txt', 'save a LogScale token'],
  );
  addConnectionFlags(command);
  command.allowExcessArguments(false).action(async (flags) => {
    const { authLogin } = await import('../auth/auth-login.ts');
    await authLogin(flags);
  });
}

function addLogout(auth: Command): void {
  const command = auth
    .command('logout')
    .description('Remove a profile that "logclient auth login" saved.')
    .option('-u, --profile <name>', 'Profile to remove. Default: the default profile.');
  withExamples(command, ['logclient auth logout --profile prod', 'remove a profile']);
  command.allowExcessArguments(false).action(async (flags) => {
    const { authLogout } = await import('../auth/auth-login.ts');
    await authLogout(flags);
  });
}
