import { LogQueryException } from '../../core/errors.ts';
import { emitWarning } from '../../core/process-warning.ts';

/** Functions that were already reported. */
const reported = new Set<string>();

/**
 * Checks a query for a service without diagnostics. An unknown function is reported once per process, because the
 * service may have newer ones.
 *
 * @param request the request that would send the query, for the exception.
 * @throws LogQueryException for a syntax error, as if the service had responded with status 400
 */
export async function checkQuery(
  queryString: string,
  request: { readonly method: string; readonly path: string },
): Promise<void> {
  // Loaded on demand: programs that only log never need it.
  const { isFunctionName, parse, QuerySyntaxError, walk } = await import('../../language/index.ts');
  try {
    walk(parse(queryString), {
      Call: ({ name }) => {
        if (!isFunctionName(name)) reportFunction(name);
      },
    });
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    const body = `${error.message}\n\`\`\`\n${error.excerpt}\n\`\`\``;
    throw new LogQueryException(body, { ...request, statusCode: 400, body });
  }
}

function reportFunction(name: string): void {
  if (reported.has(name)) return;
  reported.add(name);
  emitWarning(
    `The query calls ${name}(), a function that this version of logclient does not know. Check its name: Next-Gen SIEM reports no errors in queries.`,
    'LogclientQueryWarning',
  );
}
