import { QueryLimitError } from '../query-limit-error.ts';
import { metered } from '../run/event-cost.ts';

/** The longest text that a query may make, in UTF-16 units: several times what an event can hold. */
export const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

/** A step has made a text that is longer than any may be. */
export class TextLengthError extends QueryLimitError {
  constructor(what = 'a string') {
    super(
      `a step creates ${what} of more than ${MAX_TEXT_LENGTH} characters, the limit of a field. Shorten the string first.`,
    );
  }
}

/** The text itself. @throws TextLengthError when it is too long for a field. */
export function limitedText(text: string): string {
  if (text.length > MAX_TEXT_LENGTH) throw new TextLengthError();
  return metered(text);
}

/**
 * The texts as one, never longer than a text may be, not even for a moment.
 *
 * @throws TextLengthError
 */
export function joinTexts(texts: readonly string[], separator = ''): string {
  let length = separator.length * Math.max(0, texts.length - 1);
  for (const text of texts) length += text.length;
  if (length > MAX_TEXT_LENGTH) throw new TextLengthError();
  return metered(texts.join(separator));
}
