import * as z from 'zod/v4';
import { nearestName } from '../../../core/nearest-name.ts';
import { functionList } from '../../../language/index.ts';
import { plainAnswer } from '../answer.ts';
import { ARGUMENTS } from '../arguments.ts';
import { findFunctions, functionPage, languageGuide } from '../function-page.ts';
import { defineTool } from '../tool.ts';

const MAX_FOUND = 15;

const input = z.strictObject({
  topic: z
    .string()
    .default('language')
    .describe(
      '"language" for a guide, "functions" for all names, the name of a function, or words to search for.',
    ),
  maxTokens: ARGUMENTS.maxTokens,
});

export const helpTool = defineTool({
  name: 'help',
  title: 'Explain the query language',
  description:
    'Explains the LogScale query language: a short guide, the parameters and an example of a function, or functions for a purpose such as "percentile" or "parse json". Works without a server.',
  input,
  run: async ({ topic, maxTokens }) => plainAnswer(helpOn(topic.trim()), maxTokens),
});

function helpOn(topic: string): string {
  if (/^(?:|language|guide|syntax)$/i.test(topic)) return languageGuide();
  if (/^functions$/i.test(topic))
    return `Functions: ${functionList().join(', ')}\nFor one of them, call "help" with its name.`;
  const page = functionPage(topic);
  if (page !== undefined) return page;
  const nearest = nearestName(topic, functionList());
  const similar = [
    ...(nearest === undefined ? [] : [functionPage(nearest)!]),
    ...findFunctions(topic, MAX_FOUND),
  ];
  if (similar.length > 0) return `No function has this name. Near it:\n\n${similar.join('\n')}`;
  throw new Error('nothing is known about this topic. Call "help" with topic "language" or "functions".');
}
