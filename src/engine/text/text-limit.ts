import { QueryLimitError } from '../query-limit-error.ts';
import { metered } from '../run/event-cost.ts';

/** Maximum length of a computed string in UTF-16 code units: several times that of an event. */
export const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

/** A computed string is too long. */
export class TextLengthError extends QueryLimitError {
  constructor(what = 'a string') {
    super(
      `a step creates ${what} of more than ${MAX_TEXT_LENGTH} characters, the limit of a field. Shorten the string first.`,
    );
  }
}

/** Returns the text. @throws TextLengthError if it is too long for a field. */
export function limitedText(text: string): string {
  if (text.length > MAX_TEXT_LENGTH) throw new TextLengthError();
  return metered(text);
}

/**
 * Joins strings without ever exceeding the maximum length.
 *
 * @throws TextLengthError
 */
export function joinTexts(texts: readonly string[], separator = ''): string {
  let length = separator.length * Math.max(0, texts.length - 1);
  for (const text of texts) length += text.length;
  if (length > MAX_TEXT_LENGTH) throw new TextLengthError();
  return metered(texts.join(separator));
}
