/** A regular expression can't be compiled. The message completes "The regular expression can't be used: …". */
export class RegexError extends Error {
  override readonly name = 'RegexError';
}
