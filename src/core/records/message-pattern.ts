// cspell:disable-next-line
const ULID = String.raw`\da-hjkmnp-tv-zA-HJKMNP-TV-Z`;

/** Words in upper and lower case, as in `ClampedArray`, `RSA` and `sessions`. */
const WORDS = '(?:[a-z]{2,14})?(?:[A-Z]+[a-z]{2,14}|Id|By|Of|To)*[A-Z]{0,10}';
/** What has letters and digits, too, but is no ID: words with a number, durations, sizes and names of algorithms. */
const NO_RANDOM = [
  `${WORDS}[A-Za-z]?\\d+[A-Za-z]?${WORDS}`,
  String.raw`(?:\d+(?:d|h|m|s|ms|us|ns))+`,
  String.raw`\d+x\d+`,
  ...['[a-z]{3,}\\d[a-z]\\d', 'utf8mb4', 'secp256[kr]1', 'prime256v1'],
].join('|');

/** What differs between similar messages. Each kind is a regular expression, also of the query language: `/` is escaped. */
const KINDS = [
  ['text', '"[^"]*"'],
  // Not an apostrophe.
  ['text', String.raw`\B'[^']*'`],
  // UUIDs and ULIDs.
  [
    'id',
    String.raw`\b(?:[\da-fA-F]{8}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{12}|[0-7][${ULID}]{25})\b`,
  ],
  ['id', String.raw`\b0[xX][\da-fA-F]+\b`],
  // Some IDs happen to have letters only.
  [
    'id',
    String.raw`\b(?!(?:[Dd]ec|[Ff]ac)ade\b|E(?:C2|\d+)\b)(?:(?:[a-fA-F]+\d|\d+[a-fA-F])[\da-fA-F]*|[a-fA-F]{6,})\b`,
  ],
  // Of nanoid; temporary files; pods; base64; letters and digits in any order, also behind a prefix such as req- and pi_.
  [
    'id',
    [
      String.raw`(?:\b|(?=-))(?=[\w-]{0,20}\d)(?=[\w-]{0,20}[a-z])(?=[\w-]{0,20}[A-Z])[\w-]{21}(?![\w-])`,
      String.raw`\/(?:tmp|var\/folders)\/[\w.\/-]+`,
      String.raw`\b[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b`,
      String.raw`[A-Za-z\d+\/]{20,}={1,2}(?!\w)`,
      String.raw`\b(?:req|request|job|task|run|session|trace|conn|msg|txn)-(?=[a-z]*\d)[A-Za-z\d]{6,}\b`,
      String.raw`\b(?:[a-z]{1,8}_)?(?=[A-Za-z]*\d)(?=\d*[A-Za-z])(?!(?:${NO_RANDOM})\b)[A-Za-z\d]{6,}\b`,
    ].join('|'),
  ],
  // In JSON. Elsewhere, backslashes are no escapes.
  ['text', String.raw`"(?:[^"\\]|\\.)*"`],
  ['n', String.raw`\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?=[ \/-]{1,2}\d)`],
  ['n', String.raw`\d[\d.]*`],
] as const;

/** Quoted text, IDs, months and numbers, as a regular expression. */
export const VARIABLE_PARTS = KINDS.map(([, source]) => source).join('|');

/** Maximum length that is compared, in UTF-16 code units. */
export const MAX_PATTERN_LENGTH = 300;

/** What doesn't continue as an ID. */
const NO_ID = `(?!${KINDS[3][1]}|${KINDS[4][1]}|${KINDS[5][1]})`;

/** Maximum length of the pattern of a longer message, so that its values don't decide where it ends. */
const MAX_CUT_LENGTH = 200;

/** Stands for a variable part. In a message, it counts as one. */
const PLACEHOLDER = '…';
const PLACEHOLDER_KIND = KINDS.length;
const VARIABLE = new RegExp(`${VARIABLE_PARTS}|${PLACEHOLDER}`, 'g');
/** In JSON, names are no variable parts, nor are words, such as the kind of an event: except the level and the host. */
const JSON_NAME = `"(?!(?:${VARIABLE_PARTS})":)[^"${PLACEHOLDER}]*"(?=:)`;
const JSON_WORD = '(?<!"(?:level|severity|host|hostname)": ?)(?<=": ?)"[A-Za-z_.:-]+"(?=[,}])';
const VARIABLE_IN_JSON = new RegExp(`(${JSON_NAME}|${JSON_WORD})|${KINDS[6][1]}|${VARIABLE.source}`, 'g');

/** The first line of a message, in which each variable part is replaced. */
export interface MessagePattern {
  /** The text around the variable parts: one more than there are parts. */
  readonly literals: readonly string[];
  /** For each variable part, a set of bits: the kinds that the messages have there. */
  readonly kinds: readonly number[];
  /** Whether all of the message is compared, or there are further lines, or the line is too long. */
  readonly ending: 'end' | 'lines' | 'cut';
}

/** The pattern of a message, and a key that similar messages share. */
export function patternOf(message: string): { readonly key: string; readonly kinds: number[] } {
  const kinds: number[] = [];
  const [line, ending] = firstLine(message);
  const variable = line.startsWith('{"') ? VARIABLE_IN_JSON : VARIABLE;
  const pattern = line.replace(variable, (part, kept: unknown) => {
    if (typeof kept === 'string') return part;
    kinds.push(1 << kindOf(part));
    return PLACEHOLDER;
  });
  if (ending !== 'cut') return { key: `${pattern}\n${ending}`, kinds };
  // Neither a value that may go on, nor half of a character.
  const start = pattern.slice(0, MAX_CUT_LENGTH).replace(/[\ud800-\udbff…]$/, '');
  return { key: `${start}\n${ending}`, kinds: kinds.slice(0, start.split(PLACEHOLDER).length - 1) };
}

function firstLine(message: string): readonly [string, MessagePattern['ending']] {
  const newline = message.indexOf('\n');
  if (newline !== -1 && newline <= MAX_PATTERN_LENGTH) return [message.slice(0, newline), 'lines'];
  if (message.length <= MAX_PATTERN_LENGTH) return [message, 'end'];
  return [message.slice(0, MAX_PATTERN_LENGTH), 'cut'];
}

/** Reads the key of {@link patternOf}. */
export function readPattern(key: string, kinds: readonly number[]): MessagePattern {
  const [line = '', ending] = key.split('\n');
  return { literals: line.split(PLACEHOLDER), kinds, ending: ending as MessagePattern['ending'] };
}

const WHOLE = KINDS.map(([, source]) => new RegExp(`^(?:${source})$`));
const NUMBER_KIND = KINDS.length - 1;

function kindOf(part: string): number {
  if (part === PLACEHOLDER) return PLACEHOLDER_KIND;
  if (!/[^\d.]/.test(part)) return NUMBER_KIND;
  const kind = WHOLE.findIndex((regex) => regex.test(part));
  return kind === -1 ? KINDS.length - 2 : kind; // A month needs the number behind it.
}

/** The text of a pattern for people: `user ‹n› logged in`. */
export function templateOf({ literals, kinds, ending }: MessagePattern): string {
  const names = kinds.map(nameOf);
  const text = literals.map((literal, index) => literal + (names[index] ?? ''));
  return text.join('') + (ending === 'end' ? '' : ` ${PLACEHOLDER}`);
}

function nameOf(kinds: number): string {
  if (kinds === 1 << PLACEHOLDER_KIND) return PLACEHOLDER;
  const names = KINDS.filter((_, index) => kinds & (1 << index)).map(([name]) => name);
  // Some IDs happen to have digits only.
  return `‹${names.includes('text') ? 'text' : names[0]}›`;
}

/**
 * A regular expression, without flags, that matches the messages of a pattern, and hardly any others: those with unpaired
 * quotes, and long lines that start like them.
 */
export function regexOf(
  { literals, kinds, ending }: MessagePattern,
  escapeText: (text: string) => string,
): string {
  const text = literals.map((literal, index) => {
    if (index >= kinds.length) return escapeText(literal);
    // The letters after a number could make it an ID, as in 5d: such messages have another pattern.
    const isNoId = /^[a-fx]/i.test(literals[index + 1]!) && !/\w$/.test(literal) ? NO_ID : '';
    return escapeText(literal) + isNoId + sourceOf(kinds[index]!);
  });
  return `^${text.join('')}${{ end: '$', lines: '\\n', cut: '' }[ending]}`;
}

function sourceOf(kinds: number): string {
  const sources = [...KINDS.map(([, source]) => source), PLACEHOLDER];
  const source = sources.filter((_, index) => kinds & (1 << index)).join('|');
  return source.includes('|') ? `(?:${source})` : source;
}
