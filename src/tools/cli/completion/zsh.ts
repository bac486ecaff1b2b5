import { allTrees, type CompletionFlag, type CompletionTree } from './completion-tree.ts';

/** A file for zsh's $fpath: the flags of each command with their descriptions. */
export function zshCompletion(tree: CompletionTree): string {
  const functions = allTrees(tree).map(functionOf);
  return `#compdef logclient
# logclient: completion for zsh
${functions.join('\n')}
if [ "$funcstack[1]" = _logclient ]; then _logclient "$@"; else compdef _logclient logclient; fi
`;
}

function functionOf({ path, children, flags, choices, takesPath }: CompletionTree): string {
  const specs = flags.flatMap(specsOf).map((spec) => `    ${spec}`);
  if (children.length === 0) {
    const words = choices.length > 0 ? [`    '*:word:(${choices.join(' ')})'`] : [];
    const files = takesPath ? ["    '*:file:_files'"] : [];
    const all = [...specs, ...words, ...files];
    return `${nameOf(path)}() {\n  _arguments -s \\\n${all.join(' \\\n')}\n}`;
  }
  const described = children.map(
    (child) => `    ${quoted(`${child.path.at(-1)}:${child.summary.replaceAll(':', '\\:')}`)}`,
  );
  const cases = children.map((child) => `        ${child.path.at(-1)}) ${nameOf(child.path)} ;;`);
  return `${nameOf(path)}() {
  local line state
  _arguments -C \\
${[...specs, "    '1: :->command'", "    '*::argument:->arguments'"].join(' \\\n')}
  case $state in
    command)
      local -a commands=(
${described.join('\n')}
      )
      _describe command commands ;;
    arguments)
      case $line[1] in
${cases.join('\n')}
      esac ;;
  esac
}`;
}

function nameOf(path: readonly string[]): string {
  return `_${path.join('_').replaceAll('-', '_')}`;
}

function specsOf({ names, summary, takesValue, takesPath, choices }: CompletionFlag): string[] {
  const about = summary.replace(/[[\]:]/g, '\\$&');
  const values = choices.length > 0 ? `(${choices.join(' ')})` : takesPath ? '_files' : ' ';
  return names.map((name) => quoted(`${name}[${about}]${takesValue ? `:value:${values}` : ''}`));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
