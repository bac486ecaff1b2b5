/** Strings of which one is in each match. */
type Texts = readonly string[];

/** The start of a group, what may be absent, what can be several characters, and a character. */
const TOKEN =
  /(\((?:\?(?:<?[=!]|:|<\w+>))?)|(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\s()|[])(?:[?*]|\{\d[^}]*\})|\\[a-z\d]|\[(?:\\.|[^\]\\])*\]|[.^$]|\\(.)|([^\w\s()|?*+{}])/gs;
/** A group without groups in it, what is around a match, and a group that may be absent. */
const GROUP = /\((\?<?[=!])?(?:\?:|\?<\w+>)?([^()]*)\)([?*]|\{\d)?/;
/** Marks are moved here, so that they are no syntax. */
const MARKS = 0xe000;

/**
 * In lower case, the strings of which each match of a regular expression contains one: several such lists, the longest
 * strings first. Searching for them is much faster than the first use of a regular expression.
 */
export function requiredTexts(source: string): readonly Texts[] {
  let text = source.toLowerCase().replace(TOKEN, (_, group = '', escaped = '', mark = escaped) => {
    return group || (mark && String.fromCharCode(MARKS + mark.charCodeAt(0))) || ' ';
  });
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(GROUP, (_, around, body, absent) => ` ${around || absent ? '' : required(body)} `);
  }
  const lists = required(text).split(' ').filter(Boolean);
  return lists.map((list) => list.split(',').map(plain)).sort((a, b) => lengthOf(b) - lengthOf(a));
}

/** Words that all matches contain; of several alternatives, a list with the longest word of each. */
function required(body: string): string {
  const all = body.split('|').map((one) => one.match(/[\w,\ue000-\uefff]+/g) ?? []);
  if (all.length === 1) return all[0]!.join(' ');
  const best = all.map((one) => one.sort((a, b) => lengthOf(b.split(',')) - lengthOf(a.split(',')))[0]);
  return best.every((one) => one !== undefined) ? best.join(',') : '';
}

function plain(text: string): string {
  return text.replace(/[\ue000-\uefff]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - MARKS));
}

function lengthOf(texts: Texts): number {
  return Math.min(...texts.map(({ length }) => length));
}
