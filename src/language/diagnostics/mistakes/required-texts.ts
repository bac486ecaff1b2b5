/** Strings of which one is in each match. Empty if nothing is known. */
type Texts = readonly string[];

/** Letters, an escape, a class, the start of a group, a quantifier or a character. */
const TOKEN = /\w+(?![\w?*+{])|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<\w+>))?|[?*+]\??|\{\d[^}]*\}|./gs;
/** Most of what is around a match. */
const AROUND = /\(\?<?[=!](?:\\.|\[(?:\\.|[^\]\\])*\]|[^()[\]\\]|\((?:\\.|[^()[\]\\])*\))*\)/gs;
/** Characters. */
const MARKS = /^(?:\w+|\\[^a-zA-Z0-9]|[^\\[.^$])$/;

/**
 * In lower case, the strings of which each match of a regular expression contains one: several such lists, the longest
 * strings first. Searching for them is much faster than the first use of a regular expression.
 */
export function requiredTexts(source: string): readonly Texts[] {
  const tokens = source.toLowerCase().replace(AROUND, '').match(TOKEN) ?? [];
  let place = 0;

  function alternatives(): readonly Texts[] {
    const branches = [sequence()];
    for (; tokens[place] === '|'; branches.push(sequence())) place += 1;
    if (branches.length === 1) return branches[0]!;
    const best = branches.map(([first]) => first);
    return best.every((texts) => texts !== undefined) ? [best.flat()] : [];
  }

  function sequence(): readonly Texts[] {
    const lists: Texts[] = [];
    let text = '';
    const endText = (): void => {
      if (text !== '') lists.push([text]);
      text = '';
    };
    for (; place < tokens.length && !/^[|)]$/.test(tokens[place]!); place += 1) {
      const token = tokens[place]!;
      const inner = token.startsWith('(') ? group() : undefined;
      const quantifier = tokens[place + 1] ?? '';
      const isRepeated = /^(?:[?*+]|\{\d)/.test(quantifier);
      if (isRepeated) place += 1;
      const isOptional = isRepeated && /^(?:[?*]|\{0)/.test(quantifier);
      const isText = inner === undefined && !isOptional && MARKS.test(token);
      if (!isText) endText();
      if (isOptional || /^\(\?<?[=!]/.test(token)) continue;
      if (inner !== undefined) lists.push(...inner);
      else if (isText) text += token.replace(/^\\/, '');
      if (isRepeated) endText();
    }
    endText();
    return lists.length < 2 ? lists : lists.sort((a, b) => lengthOf(b) - lengthOf(a));
  }

  function group(): readonly Texts[] {
    place += 1;
    return alternatives();
  }

  return alternatives();
}

function lengthOf(texts: Texts): number {
  return Math.min(...texts.map(({ length }) => length));
}
