import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { addOutputFlags, type OutputFlags } from '../output/output-flags.ts';
import { addConnectionFlags, type ConnectionFlags } from '../settings/connection-flags.ts';

/** `logclient auth`: the settings in use and where they come from. */
export function addAuthCommand(program: Command): void {
  const auth = program
    .command('auth')
    .description('Show the settings in use.')
    .helpCommand('help [command]', 'Show help for a command.');
  const command = auth
    .command('status')
    .description('Show each setting and where it comes from. Hides secrets and makes no network requests.');
  withExamples(
    command,
    ['logclient auth status', 'show the address, token and other settings in use'],
    ['logclient auth status -o json', 'print the settings as JSON'],
  );
  addOutputFlags(command);
  addConnectionFlags(command);
  command.allowExcessArguments(false).action(authStatus);
}

async function authStatus(flags: ConnectionFlags & OutputFlags): Promise<void> {
  const [{ resolveConnection }, { writeList }] = await Promise.all([
    import('../settings/connection-settings.ts'),
    import('../output/row-writer.ts'),
  ]);
  const settings = await resolveConnection(flags);
  const { url, token, ingestToken, repository, profile, caCertificate, insecure, timeoutMs } = settings;
  const rows = [
    { setting: 'url', value: withoutCredentials(url.value), origin: url.origin },
    { setting: 'token', ...secret(token) },
    { setting: 'ingest token', ...secret(ingestToken) },
    { setting: 'repository', ...(repository ?? NOT_SET) },
    { setting: 'profile', ...(profile ?? NOT_SET) },
    {
      setting: 'certificate',
      ...(caCertificate === undefined ? NOT_SET : { ...caCertificate, value: 'custom' }),
    },
    { setting: 'insecure', value: String(insecure.value), origin: insecure.origin },
    { setting: 'timeout', value: `${timeoutMs.value / 1000} s`, origin: timeoutMs.origin },
  ];
  await writeList(rows, ['setting', 'value', 'origin'], flags);
}

const NOT_SET = { value: 'not set', origin: '' };

/** The length of a token shows whether it was copied completely, without revealing it. */
function secret(setting: { value: string; origin: string } | undefined): { value: string; origin: string } {
  if (setting === undefined) return NOT_SET;
  return { value: `set, ${setting.value.length} characters`, origin: setting.origin };
}

function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//');
}
