import { isFunctionName } from '../../function-names.ts';
import { findSignature } from '../../functions/find-function.ts';
import { SINGLE_OUTPUTS } from '../../functions/outputs.ts';
import { replaceOutside, withDoubleQuotes } from '../masked-text.ts';
import { epochMs } from './times.ts';

/**
 * A mistake that causes a syntax error, and what to write, most likely first: `$1` is the first group, and no text is
 * written for `undefined`. The pattern matches the query with blank strings and comments, and with `⟦` and `⟧` around
 * the error.
 */
export type RepairRow = readonly [
  pattern: RegExp,
  ...writes: (string | ((...groups: readonly string[]) => string | undefined))[],
];

/** Repairs after which no word may be left that would be searched for. */
export const STRICT_REPAIRS: readonly RepairRow[] = [
  // Quotes of a shell.
  [/\\⟦"⟧([^"\\]*)\\"/d, '"$1"'],
  [/=\s*⟦!⟧/d, '!='],
  // As a filter, test() compares two fields.
  [/([\w.@#]+\s*(?:<=|>=|<|>)\s*)⟦([A-Za-z_@#][\w.@#]*)⟧/d, 'test($1$2)'],
  [/(?<=(?:ur[il]|path|route|endpoint|page)\s*!?=\s*)⟦(\/⟧[\w./-]+)(?=\s*(?:$|[|)]))/di, '"$1"'],
  // A pipe without spaces is probably part of a value, unless a call follows.
  ...['(.*?)(?=\\s+\\||\\|\\s|\\|\\w+\\()', '([^\\n\\r]*?)(?=\\s*[\\n\\r])', '([^\\s),\\]]+)', '(.*\\S)'].map(
    // After a value, a slash starts no regex.
    (rest): RepairRow => [new RegExp(`⟦("|(?<![\\w.*)\\]"]\\s*⟦)/)⟧${rest}`, 'ds'), '$1$2$1'],
  ),
];

/** Repairs that are tried before missing brackets are added. */
export const REPAIRS: readonly RepairRow[] = [
  // Outside of `case`, steps are joined by `|`.
  [/⟦(?:;|=>)⟧(?=\s*\w)/d, '|'],
  // A slash and a star start a comment.
  [/=\s*⟦\/\*⟧([\w.-]+\*?)\/(?!\S)/d, '=*$1'],
  // An arrow is no comparison.
  [/⟦([\w.-]+-)⟧(>[\w.>-]+)(?!\S)/d, '"$1$2"'],
  // Quotes of MySQL.
  [/⟦`⟧([\w.@#]+)`/d, '$1'],
  // The next pair of single quotes would be the next error.
  [/⟦('⟧.*)$/ds, (rest = '') => withDoubleQuotes(rest)],
  [/(?<=([<>]?=?)\s*)⟦([^⟧]+)⟧/d, (operator, text) => epochMs(text, operator)],
  [/([\w.@#]+)\s*(!?)=\s*⟦[([]⟧([^)\]]*)[)\]]/d, oneOf],
  // Clauses of `case` are joined by `;`.
  [/(\s*\*\s*)⟦/d, ';$1'],
  [/\*(\s*)⟦/d, '"*"'],
  [/(?<=\S)(\s*)⟦(?=\w+⟧\s*=)/d, ',$1'],
  [/(?<=\([^()]*)\s+⟦as⟧\s+/di, ', as='],
  [/(?<=\b(?:drop|select|table|groupby)\([\w.@#,=[\s]*\w)(\s+)⟦(?!as⟧)(?=[\w.@#])/di, ',$1'],
  [/\s+and\s+([\w.@#"]+\s*)⟦(?=:=⟧)/di, ' | $1'],
  // The output of an aggregate is a field of the next step.
  [
    /(\w+)(\([^()]*\))\s*⟦([^|;}\n]*[^|;}\s⟧])/d,
    (name, call, rest) => outputOf(name, rest, (output) => `${name}${call} | ${output} ${rest}`),
    (name, call, rest) => outputOf(name, rest, (output) => `${name}${call} | ${output} := ${output} ${rest}`),
  ],
  [
    /(?<=(?:^|[|{;[,=])\s*)⟦(\w+)⟧(?=\s*(?:$|[|;}\],)]))/d,
    (name = '') => (isFunctionName(name) ? `${name}()` : undefined),
  ],
];

/** Repairs that are tried after missing brackets are added. Their patterns match the query with all its text. */
export const LAST_REPAIRS: readonly RepairRow[] = [
  // A slash in a class also ends a regex.
  [/(\/[^/\n⟦]*\[[^\]/\n⟦]*)\/([^\]/\n⟦]*)⟦(?=[^\]\n]*\])/d, '$1\\/$2'],
  [/\s+(?:and|or|not)\s*⟦⟧/di, ''],
  [/\s+(?:and|or|not)\s*⟦/di, ' '],
  [/(?<!\S)⟦[)\]};]⟧|⟦[)\]}]⟧(?!\w)|⟦;⟧(?=\s*$)/d, ''],
  // In other places, what follows the comma would become search text.
  [/(?<=[=<>]\s*\S+)⟦,⟧(?=\s+[\w.@#]+\s*[!=<>])/d, ''],
  // Quotes around a plain word would only hide that it is not a filter.
  [
    /(?<=([=<>]?)\s*)((?:[^\s"'`()[\]{}|;,=<>!⟦]*⟦[^\s"'`()[\]{}|;,=<>!⟧]*⟧[^\s"'`()[\]{}|;,=<>!]*))(?!(?<=-⟧)>)/d,
    // `/a/s` is a regex with an unknown flag, and `/*a*/` a comment.
    (operator = '', word = '') =>
      /^(?:\w*|\/[^/]+\/\w|\/\*.*)$/.test(word + operator) || !/\w/.test(word) ? undefined : `"${word}"`,
  ],
  [
    /⟦(?=[^⟧]*\w)([^\s"'`()[\]{}|;,=<>!⟧]*[^\s"'`()[\]{}|;,=<>!\w⟧][^\s"'`()[\]{}|;,=<>!⟧]*)⟧(?!(?<=-⟧)>)/d,
    '"$1"',
  ],
  // Two words without a name may be two fields, and conditions are never text.
  [
    /(?<=(?<![<>=!])=\s*)([^\s(,=[\]|"⟦`][^(,=[\]|"⟦`]*⟦(?!(?:and|or|as)⟧)[^,()[\]"`;]*?)(?=\s*[,)\]])/di,
    '"$1"',
  ],
];

/** `field=(a, b)`, `field=(a|b)` */
function oneOf(field = '', not = '', values = ''): string | undefined {
  const listed = replaceOutside(values, /\s*[,|]\s*|\s+or\s+/gi, () => ', ');
  const isRegex = /\|/.test(values) && /[\\^$+?]|\.\*/.test(values);
  return isRegex ? undefined : `${not}in(${field}, values=[${listed}])`;
}

function outputOf(name = '', rest = '', write: (output: string) => string): string | undefined {
  const isCounted = /^groupBy$/i.test(name) && /^[<>=!]/.test(rest);
  const output = isCounted ? '_count' : SINGLE_OUTPUTS[findSignature(name)?.name ?? ''];
  return output === undefined ? undefined : write(output);
}
