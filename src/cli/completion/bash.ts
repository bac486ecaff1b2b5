import { allTrees, type CompletionTree } from './completion-tree.ts';

/** A function for bash: it walks down the words to the command, and offers what that has. */
export function bashCompletion(tree: CompletionTree): string {
  const cases = allTrees(tree).map(({ path, children, flags }) => {
    const words = [
      ...children.map(({ path: [...below] }) => below.at(-1)!),
      ...flags.flatMap(({ names }) => names),
    ];
    return `    '${path.join(' ')}') words='${words.join(' ')}' ;;`;
  });
  const known = allTrees(tree).map(({ path }) => `'${path.join(' ')}'`);
  const choices = choicesOf(tree).map(
    ([name, values]) => `    ${name}) COMPREPLY=($(compgen -W '${values}' -- "$current")); return ;;`,
  );
  const valueFlags = [...new Set(flagsWithValue(tree))].join('|');
  return `# logclient: completion for bash
_logclient() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='logclient' words='' index
  case "$previous" in
${choices.join('\n')}
    ${valueFlags}) COMPREPLY=($(compgen -f -- "$current")); return ;;
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
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _logclient logclient
`;
}

/** The flags with a fixed set of values, as patterns of `case`. */
function choicesOf(tree: CompletionTree): (readonly [string, string])[] {
  const found = new Map<string, string>();
  for (const { flags } of allTrees(tree)) {
    for (const { names, choices } of flags)
      if (choices.length > 0) found.set(names.join('|'), choices.join(' '));
  }
  return [...found];
}

function flagsWithValue(tree: CompletionTree): string[] {
  return allTrees(tree).flatMap(({ flags }) =>
    flags
      .filter(({ takesValue, choices }) => takesValue && choices.length === 0)
      .flatMap(({ names }) => names),
  );
}
