import { LogOptionsException, LogQueryException } from '../../core/errors.ts';
import { meantName, nearestName } from '../../core/nearest-name.ts';
import { emitWarning } from '../../core/process-warning.ts';
import { tryOr } from '../../core/try-or.ts';
import type { QueryInput } from '../../core/wire/query.ts';

/** Functions that were already reported. */
const reported = new Set<string>();

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
      Call: ({ name }) => {
        if (!isFunctionName(name)) reportFunction(name);
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
 * Rejects a misspelled argument: its parameter would match anything. Arguments that a query does not use are accepted as long as
 * all its parameters have a value. Those of the saved queries that it calls, and of a query that can't be parsed, are unknown.
 *
 * @throws LogOptionsException
 */
export async function checkArguments({ queryString, arguments: values = {} }: QueryInput): Promise<void> {
  const given = Object.keys(values);
  if (given.length === 0 || !queryString.includes('?')) return;
  const { parse, walk } = await import('../../language/index.ts');
  // By name, whether they have a default.
  const parameters = new Map<string, boolean>();
  let hasSavedQuery = false;
  tryOr(undefined, () =>
    walk(parse(queryString), {
      Parameter({ name, defaultValue }) {
        parameters.set(name, parameters.get(name) === true || defaultValue !== undefined);
      },
      SavedQuery() {
        hasSavedQuery = true;
      },
    }),
  );
  if (hasSavedQuery) return;
  const open = [...parameters.keys()].filter((name) => !given.includes(name));
  for (const name of given.filter((other) => !parameters.has(other))) {
    const missing = nearestName(name, open) ?? open.find((other) => parameters.get(other) === false);
    if (missing === undefined) continue;
    const problem = `"arguments" has no value for ?${missing} but has "${name}", which the query does not use.`;
    throw new LogOptionsException(`${problem} ${meantName(name, open)}`.trimEnd());
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
