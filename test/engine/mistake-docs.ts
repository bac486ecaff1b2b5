import { check } from '../../src/language/index.ts';
import type { MistakeCase } from './mistake-cases.ts';

/** The generated part of docs/other-languages.md. */
export const mistakePage = {
  /** The text above this line is handwritten. */
  marker: '<!-- Below: npx vitest run test/engine/mistakes.test.ts -u -->',

  tables(cases: Readonly<Record<string, readonly MistakeCase[]>>): string {
    return Object.entries(cases)
      .map(
        ([language, rows]) =>
          `## ${title(language)}\n\n${NOTES[language] ?? ''}| You type | Write |\n| --- | --- |\n${rows.map(row).join('\n')}`,
      )
      .join('\n\n');
  },
};

/** What is not in the tables. */
const NOTES: Readonly<Record<string, string>> = {
  Lucene:
    'Clauses side by side mean `and` here and in Datadog, and `or` in Elasticsearch by default, so their fix is only a suggestion.\n\n',
};

function title(language: string): string {
  return language.charAt(0).toUpperCase() === language.charAt(0) || language === 'jq'
    ? language
    : `${language.charAt(0).toUpperCase()}${language.slice(1)} and other habits`.replace(
        'Shell commands and other habits',
        'Shell commands',
      );
}

function row([typed, write]: MistakeCase): string {
  const instead = write === undefined ? words(typed) : code(write);
  return `| ${code(typed)} | ${instead} |`;
}

/** The advice in the message about a mistake without a fix. */
function words(typed: string): string {
  const [{ message } = { message: '' }] = check(typed);
  const [, advice = message] = /^".*" is [\w, ]+\. (.*)$/s.exec(message) ?? [];
  return advice.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

/** Inline code in the cell of a table. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`;
}
