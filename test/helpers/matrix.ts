import { transports } from '../fixtures/transports.mjs';

/** One of each kind, which run everything: a worker that pino starts, a worker of ours, and delivery on the main thread. */
const THOROUGH: readonly string[] = ['pino.transport', 'createPinoTransport', 'winston in-process'];

/** Forms of delivery, in the order of their shares. */
export const FORMS: readonly string[] = [...Object.keys(transports), 'both copies', 'logclient/auto'];

/**
 * Returns the cases that a form of delivery runs. The other forms share their code with the thorough ones, so each of them
 * runs a third, and each case is run by a third of them. `FULL_MATRIX=yes` runs all.
 */
export function shareOf<Case>(form: string, cases: readonly Case[]): Case[] {
  const runsAll = process.env.FULL_MATRIX === 'yes' || THOROUGH.includes(form);
  return cases.filter((_, index) => runsAll || index % 3 === FORMS.indexOf(form) % 3);
}
