import { type Command, Option } from 'commander';

/** Adds the flags of every command that runs tests. */
export function addTestFlags(command: Command): Command {
  return command
    .addOption(
      new Option('-o, --output <format>', 'Report format. Default: text.').choices([
        'text',
        'json',
        'github',
        'junit',
        'sarif',
      ]),
    )
    .addOption(
      new Option('--color <when>', 'When to use color. Default: auto.').choices(['auto', 'always', 'never']),
    );
}
