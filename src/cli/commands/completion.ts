import { Argument, type Command } from 'commander';
import type { CompletionTree } from '../completion/completion-tree.ts';
import { withExamples } from '../examples.ts';
import { writeOutput } from '../output/standard-output.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** `logclient completion`: the script that lets a shell complete commands and flags. */
export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion')
    .description('Print the script that completes commands and flags in a shell: bash, zsh or fish.')
    .addArgument(new Argument('<shell>', 'The shell.').choices(SHELLS))
    .allowExcessArguments(false);
  withExamples(
    command,
    ['source <(logclient completion bash)', 'for this bash; in ~/.bashrc for all of them'],
    ['logclient completion zsh > _logclient', 'for zsh, into a folder of $fpath'],
    ['logclient completion fish > logclient.fish', 'for fish, into ~/.config/fish/completions'],
  );
  command.action(async (shell: (typeof SHELLS)[number]) => {
    const { completionTree } = await import('../completion/completion-tree.ts');
    await writeOutput(await scriptFor(shell, completionTree(program)));
  });
}

async function scriptFor(shell: (typeof SHELLS)[number], tree: CompletionTree): Promise<string> {
  switch (shell) {
    case 'bash':
      return (await import('../completion/bash.ts')).bashCompletion(tree);
    case 'zsh':
      return (await import('../completion/zsh.ts')).zshCompletion(tree);
    case 'fish':
      return (await import('../completion/fish.ts')).fishCompletion(tree);
  }
}
