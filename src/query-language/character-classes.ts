/**
 * Which characters make up a word of the language.
 *
 * There are two kinds of unquoted text: field names, and patterns (values in which `*` stands for anything). Every
 * character of a field name may stand in a pattern, too; subscripts such as `[0]` only belong to field names.
 */

// Non-ASCII text from U+00A1 on, without « » ¬, the soft hyphen, whitespace and the byte order mark.
const NON_ASCII =
  '\\u00A1-\\u00AA\\u00AE-\\u00BA\\u00BC-\\u167F\\u1681-\\u1FFF\\u200B-\\u2027\\u202A-\\u202E\\u2030-\\u205E\\u2060-\\u2FFF\\u3001-\\uFEFE\\uFF00-\\uFFFF';
const FIELD_CHARACTERS = `#%&.0-9@A-Z\\\\^_a-z${NON_ASCII}`;
const PATTERN_CHARACTERS = `${FIELD_CHARACTERS}*+\\-~¬`;

/** `[0]`, `[]`, and after a dot a member between back-ticks. */
const SUBSCRIPT = '\\[[0-9]*\\]|(?<=\\.)`[^`\\r\\n]+`';
/** A colon, but never that of `:=`. */
const COLON = ':(?!=)';
/** One slash; two only after a colon (`https://…`), for elsewhere they begin a comment. */
const SLASH = '\\/(?!\\/)|(?<=:)\\/\\/';

const FIELD = `[${FIELD_CHARACTERS}](?:[${FIELD_CHARACTERS}]+|${SUBSCRIPT})*`;
const PATTERN_START = `(?:[${PATTERN_CHARACTERS}]|${COLON})`;
const PATTERN_REST = `[${PATTERN_CHARACTERS}]+|${COLON}|${SLASH}`;

/** A field name or a pattern: what a filter is made of. */
export const FILTER_WORD = sticky(`${PATTERN_START}(?:${PATTERN_REST}|${SUBSCRIPT})*`);
/** A number, a duration, a field or a function name, or a pattern that begins with `*`. */
export const EXPRESSION_WORD = sticky(
  `\\*(?:${PATTERN_REST})*|[${FIELD_CHARACTERS}](?:[${FIELD_CHARACTERS}]+|:(?=[${FIELD_CHARACTERS}])|${SUBSCRIPT})*`,
);
/** The name of an attribute. */
export const IDENTIFIER = sticky('[A-Za-z_][A-Za-z0-9_]*');
/** What may follow `?`. No stars and slashes, so that `?a*2` and `?a/2` are calculations. */
export const PARAMETER_NAME = sticky(`(?:[${FIELD_CHARACTERS}\\-]|${COLON})+`);
/** What may follow `$`. */
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

/** Whether the text can stand unquoted where a field name is expected. */
export function isFieldName(text: string): boolean {
  return matchesWhole(FIELD_NAME, text);
}

/** Whether the text can stand unquoted where a pattern is expected. */
export function isPattern(text: string): boolean {
  return matchesWhole(PATTERN, text) && !text.endsWith('//');
}

/**
 * Whether the text can stand unquoted as a whole argument because of the star at its end: taken for a product, it would
 * lack an operand. Behind another mark, a star begins an operand of its own.
 */
export function isStarredPattern(text: string): boolean {
  return text.endsWith('*') && !/(?:^|[*+\-~¬:/])\*/.test(text) && isPattern(text);
}

/** Whether the text has the form of a function name, `sum` or `array:length`. */
export function isFunctionWord(text: string): boolean {
  return WHOLE_FUNCTION_NAME.test(text);
}

/** Whether the text is a number as the service reads it: sign, digits, fraction, exponent. */
export function isNumberText(text: string): boolean {
  return WHOLE_NUMBER_TEXT.test(text);
}

/**
 * Whether `pattern`, one of the expressions above, matches the text from its beginning to its end. Anchoring the
 * expressions with `$` instead would make a failing match try every way to cut the text into runs.
 */
export function matchesWhole(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text) && pattern.lastIndex === text.length;
}
