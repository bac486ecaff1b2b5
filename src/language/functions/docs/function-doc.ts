/** The documentation of a function, as docs/functions.md shows it. */
export interface FunctionDoc {
  /** What the function does. */
  readonly sentence: string;
  /** A query that uses the function. */
  readonly example: string;
}

/** The functions for one purpose, in page order. */
export interface FunctionGroup {
  readonly title: string;
  /** What the functions have in common. */
  readonly intro?: string;
  readonly functions: Readonly<Record<string, FunctionDoc>>;
}

/**
 * Groups from lines `name: sentence ⇒ example` below a line `# title`. An example continues in lines that start with
 * spaces, and an intro starts with `>`.
 */
export function functionGroups(table: string): readonly FunctionGroup[] {
  return table
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.trim().split(/\n(?! )/);
      const [intro] = lines[0]?.startsWith('>') ? lines.splice(0, 1) : [];
      const entries = lines.map((line) => {
        const [, name = '', sentence = '', example = ''] = /^([\w:]+): (.*?) ⇒ (.*)$/s.exec(line)!;
        return [name, { sentence, example: example.replaceAll('\n  ', '\n') }];
      });
      const functions = Object.fromEntries(entries);
      return { title, ...(intro !== undefined && { intro: intro.slice(2) }), functions };
    });
}
