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

/** A group from lines `name: sentence ⇒ example`. An example continues in lines that start with spaces. */
export function functionGroup(title: string, lines: string, intro?: string): FunctionGroup {
  const entries = lines
    .trim()
    .split(/\n(?! )/)
    .map((line) => {
      const [, name = '', sentence = '', example = ''] = /^([\w:]+): (.*?) ⇒ (.*)$/s.exec(line)!;
      return [name, { sentence, example: example.replaceAll('\n  ', '\n') }];
    });
  return { title, ...(intro !== undefined && { intro }), functions: Object.fromEntries(entries) };
}
