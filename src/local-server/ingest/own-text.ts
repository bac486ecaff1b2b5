/** The same text, but not as a part of a larger one, which would stay in memory for its sake. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
