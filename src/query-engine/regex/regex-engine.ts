/** What runs a regular expression. */
export interface RegexEngine {
  test(text: string): boolean;
  /** The first match at `from` or after it. */
  exec(text: string, from: number): RegExpExecArray | null;
}
