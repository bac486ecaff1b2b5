import { Argument, type Command } from 'commander';
import { writeOutput } from '../../output/standard-output.ts';
import { SCRIPTS } from '../completion/scripts.ts';
import { withExamples } from '../examples.ts';

export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion')
    .description('Print a completion script for bash, zsh or fish.')
    .addArgument(new Argument('<shell>', 'Target shell.').choices(Object.keys(SCRIPTS)));
  withExamples(
    command,
    [
      'source <(logclient completion bash)',
      'bash: enable completion in this shell; add the line to ~/.bashrc to keep it',
    ],
    ['logclient completion zsh > _logclient', 'zsh: write a script; move it to a directory in $fpath'],
    [
      'logclient completion fish > logclient.fish',
      'fish: write a script; move it to ~/.config/fish/completions',
    ],
  );
  command.action(async (shell: keyof typeof SCRIPTS) => {
    await writeOutput(SCRIPTS[shell]);
  });
}
