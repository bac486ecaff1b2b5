import { LogOptionsException, LogQueryException } from '../../core/errors.ts';
import { meantName } from '../../core/nearest-name.ts';
import { emitWarningOnce } from '../../core/process-warning.ts';
import { tryOr } from '../../core/try-or.ts';
import type { QueryInput } from '../../core/wire/query.ts';

/**
 * Checks a query for a service without diagnostics. An unknown function is reported once per process, because the
 * service may have newer ones.
 *
 * @param request the request that would send the query, for the exception.
 * @throws LogQueryException for a syntax error, as if the service had responded with status 400
 * @throws LogOptionsException see {@link checkArguments}
 */
export async function checkQuery(
  input: QueryInput,
  request: { readonly method: string; readonly path: string },
): Promise<void> {
  // Loaded on demand: programs that only log never need it.
  const { isFunctionName, parse, QuerySyntaxError, walk } = await import('../../language/index.ts');
  try {
    walk(parse(input.queryString), {
      Call({ name }) {
        if (isFunctionName(name)) return;
        const message = `The query calls ${name}(), a function that this version of logclient does not know. Check its name: Next-Gen SIEM reports no errors in queries.`;
        emitWarningOnce(name, message, 'LogclientQueryWarning');
      },
    });
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    const body = `${error.message}\n\`\`\`\n${error.excerpt}\n\`\`\``;
    throw new LogQueryException(body, { ...request, statusCode: 400, body });
  }
  await checkArguments(input);
}

/**
 * Rejects a misspelled argument, because its parameter would match anything. Other arguments that a query does not use are
 * accepted, and all those of the saved queries that it calls.
 *
 * @throws LogOptionsException
 */
export async function checkArguments({ queryString, arguments: values = {} }: QueryInput): Promise<void> {
  const given = Object.keys(values);
  if (given.length === 0 || !queryString.includes('?')) return;
  const { parse, walk } = await import('../../language/index.ts');
  const parameters = new Set<string>();
  let hasSavedQuery = false;
  tryOr(undefined, () =>
    walk(parse(queryString), {
      Parameter: ({ name }) => void parameters.add(name),
      SavedQuery() {
        hasSavedQuery = true;
      },
    }),
  );
  if (hasSavedQuery) return;
  const open = [...parameters].filter((name) => !given.includes(name));
  for (const name of given.filter((other) => !parameters.has(other))) {
    const advice = meantName(name, open);
    if (advice !== '')
      throw new LogOptionsException(`"arguments" has "${name}", which the query does not use. ${advice}`);
  }
}
