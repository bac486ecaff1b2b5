import { allTrees, type CompletionTree } from './completion-tree.ts';

/** A file for ~/.config/fish/completions. */
export function fishCompletion(tree: CompletionTree): string {
  const lines = allTrees(tree).flatMap(linesOf);
  return `# logclient: completion for fish
complete -c logclient -f
${lines.join('\n')}
`;
}

function linesOf({ path, children, flags, choices: words, takesPath }: CompletionTree): string[] {
  const here = conditionOf(path, children);
  const commands = children.map(
    (child) => `complete -c logclient -n ${quoted(here)} -a ${child.path.at(-1)} -d ${quoted(child.summary)}`,
  );
  const inside = conditionOf(path, []);
  const options = flags.map(({ names, summary, takesValue, takesPath: isPath, choices }) => {
    const spelled = names.map((name) =>
      name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
    );
    const values = choices.length > 0 ? ` -f -a ${quoted(choices.join(' '))}` : isPath ? ' -F' : ' -f';
    const value = takesValue ? ` -r${values}` : '';
    return `complete -c logclient -n ${quoted(inside)} ${spelled.join(' ')}${value} -d ${quoted(summary)}`;
  });
  const files = takesPath ? [`complete -c logclient -n ${quoted(inside)} -F`] : [];
  const known = words.map((word) => `complete -c logclient -n ${quoted(inside)} -a ${word}`);
  return [...commands, ...options, ...known, ...files];
}

/** True if the line contains the words of the path, but no subcommand. */
function conditionOf([, ...path]: readonly string[], children: readonly CompletionTree[]): string {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const unseen =
    children.length === 0
      ? []
      : [`not __fish_seen_subcommand_from ${children.map((child) => child.path.at(-1)).join(' ')}`];
  const conditions = [...seen, ...unseen];
  return conditions.length === 0 ? 'true' : conditions.join('; and ');
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
