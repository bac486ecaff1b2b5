/** What the service rejects: codes, patterns of tokens, and what to write. `IN_CLASS` is nothing, or the start of a class. */
const TABLE = String.raw`
look-behind: ^\(\?<[=!] ==> The service rejects look-behind, (?<=…) and (?<!…). Put what follows in a named group.
named-reference: ^\\k< ==> The service rejects references to named groups, \k<name>. Compare fields with test() instead.
atomic-group: ^\(\?> ==> The service rejects atomic groups, (?>…). Write (?:…) instead.
possessive-quantifier: ^[*+?]\+$ ==> Possessive quantifiers, such as a++, are documented as unsupported. Write a+ instead.
repeated-start: ^\^. ==> The service rejects a quantifier after ^. Leave it out, or write (?:^)?.
brace: ^\{$ ==> A { that starts no quantifier is not documented. Write it as \{.
escape: IN_CLASS\\[hHvRe] ==> The escapes \h, \H, \v, \R and \e are documented as unsupported. Write [ \t], [^ \t], \x0b, \r?\n and \x1b instead.
posix-class: ^\[(?:\\.|[^\\])*\[:\^?\w+:\] ==> POSIX classes, such as [[:alpha:]], are documented as unsupported. Write [A-Za-z] instead.
posix-property: IN_CLASS\\[pP]\{\^?(?:Lower|Upper|ASCII|Alpha|Digit|Alnum|Punct|Graph|Print|Blank|Cntrl|XDigit|Space)\} ==> POSIX properties, such as \p{Lower}, are documented as unsupported. Write [a-z] or \p{Ll} instead.
class-operator: ^\[(?:\\.|[^\\])*&& ==> Intersections of classes, as in [a-z&&[^b]], are documented as unsupported. Here, && is two characters.
nested-class: ^\[\^?(?:\\.|[^\\])+?\[(?!:)(?:\\.|[^\\])*\]\]$ ==> Nested classes, as in [a[bc]], are documented as unsupported. Write the character [ as \[.
grapheme-boundary: ^\\b\{ ==> The boundary \b{g} is documented as unsupported. Here, {g} is text.
`;

const WARNINGS = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [, code = '', pattern = '', message = ''] = /^([\w-]+): (.*?) ==> (.*)$/.exec(line)!;
    const source = pattern.replace('IN_CLASS', String.raw`^(?:\[(?:\\.|[^\\])*)?`);
    return { code: `regex-${code}`, message, pattern: new RegExp(source, 's') };
  });

/** A quotation, an escape, a class (and a bracket behind it), the start of a group, a quantifier or a character. */
const TOKEN =
  /\\Q.*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\b\{g\}|\\x\{[^}]*\}|\\k<|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]{1,2}|\(\?(?:<[=!]|>)|\^(?:[*+?]|\{\d+(?:,\d*)?\})|(?:[*+?]|\{\d+(?:,\d*)?\})[+?]?|./gsu;

/** Finds the parts of a valid regular expression that the service rejects or doesn't support, each kind once. */
export function regexWarnings(body: string): readonly (typeof WARNINGS)[number][] {
  const tokens = body.match(TOKEN) ?? [];
  return WARNINGS.filter(({ pattern }) => tokens.some((token) => pattern.test(token)));
}
