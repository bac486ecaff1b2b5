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
 * Groups from lines `name: sentence ⇒ example` below a line `# title`. In the example, `$(` calls the function. It
 * continues in lines that start with spaces.
 */
export function functionGroups(table: string): readonly FunctionGroup[] {
  return table
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.trim().split(/\n(?! )/);
      // Most programs read no documentation.
      return {
        title,
        get functions() {
          return Object.fromEntries(lines.map(functionDoc));
        },
      };
    });
}

function functionDoc(line: string): readonly [name: string, doc: FunctionDoc] {
  const [, name = '', sentence = '', example = ''] = /^([\w:]+): (.*?) ⇒ (.*)$/s.exec(line)!;
  return [name, { sentence, example: example.replaceAll('\n  ', '\n').replaceAll('$(', `${name}(`) }];
}
