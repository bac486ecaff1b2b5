/** A report in Markdown, to attach to an issue, and the number of differences. */
export function conformanceReport(functions) {
  const all = functions.flatMap(({ outcomes }) => outcomes);
  const count = (kind) => all.filter((each) => each.kind === kind).length;
  const notExported = functions.reduce((sum, { skipped }) => sum + skipped, 0);
  const differences = count('different') + count('error');
  const lines = [
    '# Conformance',
    '',
    `${count('same')} of ${count('same') + differences} cases have the same result. ${differences} differ: ${count('different')} in rows, ${count('error')} with an error.`,
    `${count('skipped') + notExported} cases can't be run on a service.`,
    ...functions.flatMap(sectionOf),
    '',
  ];
  return { text: lines.join('\n'), differences };
}

function sectionOf({ name, uncertain, outcomes }) {
  const differing = outcomes.filter(({ kind }) => kind === 'different' || kind === 'error');
  const notes = uncertain.map((text) => `- ${text}`);
  const verdict = `${outcomes.filter(({ kind }) => kind === 'same').length} same, ${differing.length} different`;
  if (differing.length === 0 && notes.length === 0) return [];
  return [
    '',
    `## ${name} (${verdict})`,
    ...(notes.length === 0 ? [] : ['', 'Undocumented decisions:', '', ...notes]),
    ...differing.flatMap(differenceOf),
  ];
}

function differenceOf({ queryString, expected, actual, error }) {
  const result = error === undefined ? `service: ${JSON.stringify(actual)}` : `service: ${error}`;
  return ['', '```text', queryString, `expected: ${JSON.stringify(expected)}`, result, '```'];
}
