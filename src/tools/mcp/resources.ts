import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { describeFunction, functionList } from '../../language/index.ts';
import { functionPage, languageGuide } from './function-page.ts';

const FUNCTION_URI = 'logclient://functions/';

/** Adds the documentation: a guide to the language, and a page for each function. */
export function addResources(server: McpServer): void {
  server.registerResource(
    'query-language',
    'logclient://query-language',
    {
      title: 'LogScale query language',
      description: 'A guide to the query language in one page.',
      mimeType: 'text/markdown',
    },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/markdown', text: languageGuide() }] }),
  );
  server.registerResource(
    'function',
    new ResourceTemplate(`${FUNCTION_URI}{name}`, {
      list: () => ({
        resources: functionList().map((name) => {
          const { description } = describeFunction(name)!;
          const uri = `${FUNCTION_URI}${encodeURIComponent(name)}`;
          return { uri, name, title: name, description, mimeType: 'text/plain' };
        }),
      }),
      complete: {
        name: (start) => functionList().filter((name) => name.toLowerCase().startsWith(start.toLowerCase())),
      },
    }),
    { title: 'Function', description: 'A function of the query language.', mimeType: 'text/plain' },
    ({ href }, { name }) => {
      const text = functionPage(decodeURIComponent(String(name)));
      if (text === undefined)
        throw new ResourceNotFoundError(href, `There is no function "${String(name)}".`);
      return { contents: [{ uri: href, mimeType: 'text/plain', text }] };
    },
  );
}
