import { applyEdit, check, fixQuery, highlight, parse, print } from 'logclient/query-language';

/** Changes that turn a query into one with a mistake. */
const MISTAKES = [
  (query) => `${query}\n| where status >= 500`,
  (query) => `${query}\n| stats count by host`,
  (query) => `${query}\n| sort -count`,
  (query) => `${query} LIMIT 10`,
  (query) => query.replace(/(?<=\w)\s*=\s*(?=["*\w])/, ' == '),
  (query) => query.replace(/"([^"'\\\n]*)"/, "'$1'"),
  (query) => query.replace(/\)(?=[^)]*$)/, ''),
  (query) => query.replace(/\s+and\s+/i, ' && '),
  (query) => query.replace(/groupBy\(/i, 'grupBy('),
];

/** Returns what is wrong with the fixes of a query and of the same query with mistakes. */
export function brokenLaws(query) {
  const broken = lawsOf(query).map((law) => `${law} in a query without mistakes`);
  if (check(query).length === 0 && fixQuery(query, {}, () => true) !== query)
    broken.push('a fix without a finding');
  if (fixQuery(query) !== query) broken.push('a fix that is not asked for');
  for (const [index, mistake] of MISTAKES.entries()) {
    const changed = mistake(query);
    if (changed !== query) broken.push(...lawsOf(changed).map((law) => `${law} after mistake ${index + 1}`));
  }
  return broken;
}

function corrected(query) {
  return fixQuery(query, {}, ({ severity }) => severity !== 'info');
}

/** A query of several lines as messages show it. */
function onOneLine(text) {
  return text.includes('\n') ? print(parse(text.replace(/^\|/, ''))) : text;
}

function lawsOf(query) {
  const before = check(query);
  return before.flatMap((problem) => {
    const { fix, message } = problem;
    const broken = [];
    const [, proposal] = /Write (.*) instead\.$/s.exec(message) ?? [];
    if (proposal !== undefined && fix !== undefined && onOneLine(fix.text.trim()) !== proposal)
      broken.push(`another proposal than the fix: ${message}`);
    if (fix === undefined) return broken;
    const fixed = applyEdit(query, fix);
    if (!isQuery(fixed)) return [...broken, `a fix that can't be parsed: ${message}`];
    const after = check(fixed);
    const known = before.map(({ code }) => code);
    const errors = after.filter(({ severity, code }) => severity === 'error' && !known.includes(code));
    if (errors.length > 0) broken.push(`a fix with an error: ${message} ⇒ ${errors[0].message}`);
    const all = corrected(fixed);
    if (corrected(all) !== all) broken.push(`an unstable fix: ${message}`);
    for (const { start, end } of opaqueParts(query)) {
      const text = query.slice(start, end);
      const isOutside = end <= fix.span.start || fix.span.end <= start;
      const isWhole = fix.span.start <= start && end <= fix.span.end;
      if (!isOutside && !isWhole) broken.push(`a fix inside ${text}: ${message}`);
      if (isWhole && text.startsWith('/') && !fixed.includes(text))
        broken.push(`a fix that loses ${text}: ${message}`);
    }
    return broken;
  });
}

/** Strings, regular expressions and comments; none after a syntax error. */
function opaqueParts(query) {
  const parts = highlight(query).filter(({ kind }) => ['string', 'regex', 'comment'].includes(kind));
  return parts.map(({ span }) => span).filter(({ start, end }) => isClosed(query.slice(start, end)));
}

function isClosed(text) {
  return /^"(?:[^"\\]|\\.)*"$|^\/(?:[^/\\\n]|\\.)+\/[dFgim]*$|^\/\/|^\/\*.*\*\/$/s.test(text);
}

function isQuery(text) {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
