export interface RegexEngine {
  test(text: string): boolean;
  /** The first match at or after `from`. */
  exec(text: string, from: number): RegExpExecArray | null;
}
