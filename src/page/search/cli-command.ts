/** The command that has the same result. */
export function cliCommand(query: string, repository: string, time: string): string {
  return `npx logclient query ${shellWord(query)} --repository ${shellWord(repository)} ${time}`;
}

/** An argument of a shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
