import * as z from 'zod/v4';
import { check, fixQuery, format, QueryTextError } from '../../../query-language/index.ts';
import { plainAnswer } from '../answer.ts';
import { ARGUMENTS } from '../arguments.ts';
import { describeProblems } from '../check-query.ts';
import { defineTool } from '../tool.ts';

const input = z.strictObject({
  query: z.string().describe('Query to check.'),
  maxTokens: ARGUMENTS.maxTokens,
});

export const checkQueryTool = defineTool({
  name: 'check_query',
  title: 'Check a query',
  description:
    'Checks a query without running it, and returns each problem with its place and fix, and the formatted query. Explains phrases of SPL, SQL, KQL, LogQL and Lucene. Works without a server.',
  input,
  run: async ({ query, maxTokens }) => {
    const problems = check(query);
    const parts = [
      problems.length === 0 ? 'No problems.' : describeProblems(query, problems),
      suggestion(
        query,
        fixQuery(query, {}, () => true),
      ),
    ];
    return plainAnswer(parts.filter((part) => part !== '').join('\n\n'), maxTokens);
  },
});

/** The query with all fixes, formatted; nothing if it can't be parsed even then. */
function suggestion(query: string, fixed: string): string {
  try {
    const isValid = check(fixed).every(({ severity }) => severity !== 'error');
    const label = fixed === query ? 'Formatted' : isValid ? 'Fixed and formatted' : 'Partly fixed';
    return `${label}:\n${format(fixed)}`;
  } catch (error) {
    if (error instanceof QueryTextError) return '';
    throw error;
  }
}
