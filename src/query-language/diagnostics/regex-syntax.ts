/** Regular expressions that run here but that the service rejects. */
export interface RegexWarning {
  /** Stable, such as `regex-look-behind`. */
  readonly code: string;
  readonly severity: 'warning';
  readonly message: string;
}

interface Rule extends RegexWarning {
  readonly pattern: RegExp;
}

const RULES: readonly Rule[] = [
  {
    code: 'regex-look-behind',
    severity: 'warning',
    pattern: /^\(\?<[=!]/,
    message:
      'The service rejects look-behind, (?<=…) and (?<!…). Match the text before it, and put the rest in a named group.',
  },
  {
    code: 'regex-named-reference',
    severity: 'warning',
    pattern: /^\\k</,
    message: 'The service rejects references to named groups, \\k<name>. Compare fields with test() instead.',
  },
  {
    code: 'regex-atomic-group',
    severity: 'warning',
    pattern: /^\(\?>/,
    message: 'The service rejects atomic groups, (?>…). Write (?:…) instead.',
  },
  {
    code: 'regex-possessive-quantifier',
    severity: 'warning',
    pattern: /^(?:[*+?]|\{\d+(?:,\d*)?\})\+/,
    message: 'The service rejects possessive quantifiers, such as a++. Write a+ instead.',
  },
];

/** An escape, a quoted part or a set of characters: nothing in it is an operator. */
const OPAQUE = /^(?:\\Q.*?(?:\\E|$)|\\[^k]|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\])/s;

/** Finds the parts of a regular expression that the service rejects, each kind once. */
export function regexWarnings(body: string): readonly RegexWarning[] {
  const found = new Set<Rule>();
  for (let offset = 0; offset < body.length; ) {
    const rest = body.slice(offset, offset + 1000);
    const opaque = OPAQUE.exec(rest)?.[0];
    const rule = opaque === undefined ? RULES.find(({ pattern }) => pattern.test(rest)) : undefined;
    if (rule !== undefined) found.add(rule);
    offset += opaque?.length ?? rule?.pattern.exec(rest)?.[0].length ?? 1;
  }
  return [...found];
}
