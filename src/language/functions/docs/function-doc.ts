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
  readonly functions: Readonly<Record<string, FunctionDoc>>;
}

/**
 * Groups from lines `name: sentence ⇒ example` below a line `# title`. An example continues in lines that start with
 * spaces.
 */
export function functionGroups(table: string): readonly FunctionGroup[] {
  return table
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.trim().split(/\n(?! )/);
      const entries = lines.map((line) => {
        const [, name = '', sentence = '', example = ''] = /^([\w:]+): (.*?) ⇒ (.*)$/s.exec(line)!;
        return [name, { sentence, example: example.replaceAll('\n  ', '\n') }];
      });
      return { title, functions: Object.fromEntries(entries) };
    });
}
