import { LogException, LogHTTPException } from '../errors.ts';

/** Not for this token, or not there any more. */
const WITHHELD = [403, 404, 405, 410];

/**
 * Asks by REST, which only the administrators of a whole installation may use and which the service is leaving behind;
 * where that is withheld, by GraphQL.
 *
 * @throws what REST said, when neither is allowed.
 */
export async function restOrGraphql<Answer>(
  rest: () => Promise<Answer>,
  graphql: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await rest();
  } catch (error) {
    if (!(error instanceof LogHTTPException) || !WITHHELD.includes(error.statusCode)) throw error;
    return graphql().catch((second: unknown) => {
      // Whoever aborts the call gets his own reason.
      throw second instanceof LogException ? error : second;
    });
  }
}
