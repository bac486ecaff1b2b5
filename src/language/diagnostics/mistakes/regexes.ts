/** A regular expression that runs here but that the service rejects or doesn't support. */
export interface RegexWarning {
  /** Stable, such as `regex-look-behind`. */
  readonly code: string;
  readonly message: string;
  /** Matches a token, such as an escape or a class. */
  readonly pattern: RegExp;
}

/** The start of a token: nothing, or a class up to one of its members. */
const IN_CLASS = '^(?:\\[(?:\\\\.|[^\\\\])*)?';

export const REGEX_WARNINGS: readonly RegexWarning[] = [
  {
    code: 'regex-look-behind',
    pattern: /^\(\?<[=!]/,
    message:
      'The service rejects look-behind, (?<=…) and (?<!…). Match the text before it, and put the rest in a named group.',
  },
  {
    code: 'regex-named-reference',
    pattern: /^\\k</,
    message: 'The service rejects references to named groups, \\k<name>. Compare fields with test() instead.',
  },
  {
    code: 'regex-atomic-group',
    pattern: /^\(\?>/,
    message: 'The service rejects atomic groups, (?>…). Write (?:…) instead.',
  },
  {
    code: 'regex-possessive-quantifier',
    pattern: /^(?:[*+?]|\{\d+(?:,\d*)?\})\+$/,
    message: 'Possessive quantifiers, such as a++, are documented as unsupported. Write a+ instead.',
  },
  {
    code: 'regex-escape',
    pattern: new RegExp(`${IN_CLASS}\\\\[hHvRe]`, 's'),
    message:
      'The escapes \\h, \\H, \\v, \\R and \\e are documented as unsupported. Write [ \\t], [^ \\t], \\x0b, \\r?\\n and \\x1b instead.',
  },
  {
    code: 'regex-posix-class',
    pattern: /^\[(?:\\.|[^\\])*\[:\^?\w+:\]/s,
    message: 'POSIX classes, such as [[:alpha:]], are documented as unsupported. Write [A-Za-z] instead.',
  },
  {
    code: 'regex-posix-property',
    pattern: new RegExp(
      `${IN_CLASS}\\\\[pP]\\{\\^?(?:Lower|Upper|ASCII|Alpha|Digit|Alnum|Punct|Graph|Print|Blank|Cntrl|XDigit|Space)\\}`,
      's',
    ),
    message:
      'POSIX properties, such as \\p{Lower}, are documented as unsupported. Write [a-z] or \\p{Ll} instead.',
  },
  {
    code: 'regex-class-operator',
    pattern: /^\[(?:\\.|[^\\])*&&/s,
    message:
      'Intersections of classes, as in [a-z&&[^b]], are documented as unsupported. Here, && is two characters.',
  },
  {
    code: 'regex-nested-class',
    pattern: /^\[\^?(?:\\.|[^\\])+?\[(?!:)(?:\\.|[^\\])*\]\]$/s,
    message:
      'Nested classes, as in [a[bc]], are documented as unsupported. Here, a [ in a class is a character: write it as \\[.',
  },
  {
    code: 'regex-grapheme-boundary',
    pattern: /^\\b\{/,
    message: 'The boundary \\b{g} is documented as unsupported. Here, {g} is text.',
  },
];
