import * as z from 'zod/v4';
import { fixQuery, format, QueryTextError } from '../../../language/index.ts';
import { queryProblems } from '../../lint/query-problems.ts';
import { plainAnswer } from '../answer.ts';
import { ARGUMENTS } from '../arguments.ts';
import { describeProblems } from '../query-check.ts';
import { defineTool } from '../tool.ts';

const input = z.strictObject({
  query: z.string().describe('Query to check.'),
  maxTokens: ARGUMENTS.maxTokens,
});

export const checkQueryTool = defineTool({
  name: 'check_query',
  title: 'Check a query',
  description:
    'Checks a query without running it, and returns each problem with its place and fix, and the formatted query. Explains phrases of SPL, SQL, KQL, LogQL, Lucene and jq. Works without a server.',
  input,
  run: async ({ query, maxTokens }) => {
    const problems = queryProblems(query);
    const fixed = fixQuery(query);
    const suggested = fixQuery(query, {}, ({ severity }) => severity !== 'info');
    const parts = [
      problems.length === 0 ? 'No problems.' : describeProblems(query, problems),
      formatted(fixed, fixed === query ? 'Formatted' : 'Fixed and formatted'),
      suggested === fixed ? '' : formatted(suggested, 'With the suggestions'),
    ];
    return plainAnswer(parts.filter((part) => part !== '').join('\n\n'), maxTokens);
  },
});

/** The formatted query with its label, which says if it still has errors; nothing if it can't be parsed. */
function formatted(query: string, label: string): string {
  try {
    const text = format(query);
    const isValid = queryProblems(query).every(({ severity }) => severity !== 'error');
    return `${label}${isValid ? '' : ', still with errors'}:\n${text}`;
  } catch (error) {
    if (error instanceof QueryTextError) return '';
    throw error;
  }
}
