/** What differs between similar messages: quoted text, UUIDs, hexadecimal IDs and numbers. A regular expression, ignoring case. */
export const VARIABLE_PARTS = String.raw`"[^"]*"|'[^']*'|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b[0-9a-f]{8,}\b|\d[\d.]*`;

/** Maximum length that is compared, in UTF-16 code units. */
export const MAX_PATTERN_LENGTH = 300;

const VARIABLE = new RegExp(VARIABLE_PARTS, 'gi');

/** Replaces the variable parts of a message with `…`, so similar messages have the same pattern. */
export function patternOf(message: string): string {
  return message.slice(0, MAX_PATTERN_LENGTH).replace(VARIABLE, '…');
}
