/**
 * The characters of words.
 *
 * There are two kinds of unquoted text: field names, and patterns (values in which `*` is a wildcard). Patterns may
 * contain every character of field names; subscripts such as `[0]` belong only to field names.
 */

// Non-ASCII text from U+00A1 on, without « » ¬, the soft hyphen, whitespace and the byte order mark.
const NON_ASCII =
  '\\u00A1-\\u00AA\\u00AE-\\u00BA\\u00BC-\\u167F\\u1681-\\u1FFF\\u200B-\\u2027\\u202A-\\u202E\\u2030-\\u205E\\u2060-\\u2FFF\\u3001-\\uFEFE\\uFF00-\\uFFFF';
const FIELD_CHARACTERS = `#%&.0-9@A-Z\\\\^_a-z${NON_ASCII}`;
const PATTERN_CHARACTERS = `${FIELD_CHARACTERS}*+\\-~¬`;

/** `[0]`, `[]`, and after a dot a member between backticks. */
const SUBSCRIPT = '\\[[0-9]*\\]|(?<=\\.)`[^`\\r\\n]+`';
/** A colon, unless it is part of `:=`. */
const COLON = ':(?!=)';
/** One slash; two only after a colon (`https://…`), because elsewhere they start a comment. */
const SLASH = '\\/(?!\\/)|(?<=:)\\/\\/';

const FIELD = `[${FIELD_CHARACTERS}](?:[${FIELD_CHARACTERS}]+|${SUBSCRIPT})*`;
const PATTERN_START = `(?:[${PATTERN_CHARACTERS}]|${COLON})`;
const PATTERN_REST = `[${PATTERN_CHARACTERS}]+|${COLON}|${SLASH}`;

/** A field name or a pattern in a filter. */
export const FILTER_WORD = sticky(`${PATTERN_START}(?:${PATTERN_REST}|${SUBSCRIPT})*`);
/** A number, a duration, a field or function name, or a pattern that starts with `*`. */
export const EXPRESSION_WORD = sticky(
  `\\*(?:${PATTERN_REST})*|[${FIELD_CHARACTERS}](?:[${FIELD_CHARACTERS}]+|:(?=[${FIELD_CHARACTERS}])|${SUBSCRIPT})*`,
);
/** Name of an attribute. */
export const IDENTIFIER = sticky('[A-Za-z_][A-Za-z0-9_]*');
/** A name after `?`. Excludes stars and slashes, so `?a*2` and `?a/2` are calculations. */
export const PARAMETER_NAME = sticky(`(?:[${FIELD_CHARACTERS}\\-]|${COLON})+`);
/** A name after `$`. */
export const SAVED_QUERY_NAME = sticky(
  `(?:[${FIELD_CHARACTERS}\\-]|${COLON})(?:[${FIELD_CHARACTERS}/\\-]|${COLON})*`,
);

const FIELD_NAME = sticky(FIELD);
const PATTERN = sticky(`${PATTERN_START}(?:${PATTERN_REST})*`);
const WHOLE_FUNCTION_NAME = /^[A-Za-z][A-Za-z0-9_]*(?::[A-Za-z][A-Za-z0-9_]*)?$/;
const WHOLE_NUMBER_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function sticky(pattern: string): RegExp {
  return new RegExp(pattern, 'y');
}

/** Whether the text needs no quotes as a field name. */
export function isFieldName(text: string): boolean {
  return matchesWhole(FIELD_NAME, text);
}

/** Whether the text needs no quotes as a pattern. */
export function isPattern(text: string): boolean {
  return matchesWhole(PATTERN, text) && !text.endsWith('//');
}

/**
 * Whether the text needs no quotes as an argument because it ends in a star: as a product, it would lack an operand.
 * After another operator, a star starts a new operand.
 */
export function isStarredPattern(text: string): boolean {
  return text.endsWith('*') && !/(?:^|[*+\-~¬:/])\*/.test(text) && isPattern(text);
}

/** Whether the text could be a function name, such as `sum` or `array:length`. */
export function isFunctionWord(text: string): boolean {
  return WHOLE_FUNCTION_NAME.test(text);
}

/** Whether the text is a number as the service parses it: sign, digits, fraction, exponent. */
export function isNumberText(text: string): boolean {
  return WHOLE_NUMBER_TEXT.test(text);
}

/**
 * Whether `pattern`, one of the expressions above, matches the whole text. Anchoring it with `$` would backtrack
 * through every way to split the text into runs.
 */
export function matchesWhole(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text) && pattern.lastIndex === text.length;
}
