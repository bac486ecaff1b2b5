import { allTrees, type CompletionTree } from './completion-tree.ts';

/** A bash function that finds the command of the line and completes its words. */
export function bashCompletion(tree: CompletionTree): string {
  const cases = allTrees(tree).map(({ path, children, choices, flags, takesPath }) => {
    const words = [
      ...children.map(({ path: [...below] }) => below.at(-1)!),
      ...choices,
      ...flags.flatMap(({ names }) => names),
    ];
    return `    '${path.join(' ')}') words='${words.join(' ')}'${takesPath ? ' files=1' : ''} ;;`;
  });
  const known = allTrees(tree).map(({ path }) => `'${path.join(' ')}'`);
  const choices = choicesOf(tree).map(
    ([name, values]) => `    ${name}) COMPREPLY=($(compgen -W '${values}' -- "$current")); return ;;`,
  );
  const pathFlags = flagsWithValue(tree, true);
  const valueFlags = flagsWithValue(tree, false).filter((name) => !pathFlags.includes(name));
  return `# logclient: completion for bash
_logclient() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='logclient' words='' files='' index
  case "$previous" in
${choices.join('\n')}
    ${pathFlags.join('|')}) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    ${valueFlags.join('|')}) COMPREPLY=(); return ;;
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$path \${COMP_WORDS[index]}" in
      ${known.slice(1).join('|')}) path="$path \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ \${#COMPREPLY[@]} -eq 0 && -n "$files" ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _logclient logclient
`;
}

/** Flags with a fixed set of values, as patterns of `case`. */
function choicesOf(tree: CompletionTree): (readonly [string, string])[] {
  const cases = new Map<string, string>();
  for (const { flags } of allTrees(tree)) {
    for (const { names, choices } of flags)
      if (choices.length > 0) cases.set(names.join('|'), choices.join(' '));
  }
  return [...cases];
}

function flagsWithValue(tree: CompletionTree, isPath: boolean): string[] {
  const names = allTrees(tree).flatMap(({ flags }) =>
    flags
      .filter(
        ({ takesValue, takesPath, choices }) => takesValue && takesPath === isPath && choices.length === 0,
      )
      .flatMap((flag) => flag.names),
  );
  return [...new Set(names)];
}
