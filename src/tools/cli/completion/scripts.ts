/** Each script asks `logclient __complete` for what can replace the last of the words, and completes files on ":path". */
export const SCRIPTS = {
  bash: `# logclient: completion for bash
_logclient() {
  local line current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :path ]]; then
      compopt -o filenames 2>/dev/null
      mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(logclient __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _logclient logclient
`,
  zsh: `#compdef logclient
# logclient: completion for zsh
_logclient() {
  local line
  local -a found
  for line in "\${(@f)$(logclient __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :path ]]; then
      _files
    elif [[ -n $line ]]; then
      found+=("\${\${line//:/\\\\:}/$'\\t'/:}")
    fi
  done
  if (( $#found )); then _describe logclient found; fi
}
if [ "$funcstack[1]" = _logclient ]; then _logclient "$@"; else compdef _logclient logclient; fi
`,
  fish: `# logclient: completion for fish
function __logclient_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for candidate in (logclient __complete $words[2..-1] "$current" 2>/dev/null)
        if test "$candidate" = :path
            __fish_complete_path "$current"
        else
            printf '%s\\n' $candidate
        end
    end
end
complete -c logclient -f -a '(__logclient_complete)'
`,
};
