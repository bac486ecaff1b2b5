// Every scenario, in the order of the table.
import { crash } from './scenarios/crash.mjs';
import { load } from './scenarios/load.mjs';
import { outage } from './scenarios/outage.mjs';
import { processEnd } from './scenarios/process-end.mjs';
import { rejection } from './scenarios/rejection.mjs';

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} title
 * @property {'pino' | 'winston'} [kind] of loggers that have what it is about; both unless it says so.
 * @property {{records: number, bytes?: number, perSecond?: number, forMs?: number, perTurn?: number, odd?: boolean}} work
 * @property {string} ending what the program does when it has logged, see child.mjs.
 * @property {string} [signal] that it gets then.
 * @property {boolean} [ownOnly] the peers have nothing like it.
 * @property {boolean} [heavy] needs the processor for itself.
 * @property {boolean} [idle] measures the logger before it has anything to do.
 * @property {() => (request: import('./oracle.mjs').IngestRequest) => import('./oracle.mjs').Answer | undefined} [service]
 * @property {{fromMs: number, toMs: number}} [down] when the service can't be connected to.
 * @property {object} [options] for our own loggers, on top of the address and the token.
 * @property {number} [expected] deliveries to wait for; all unless it says so.
 * @property {number} [deliveryTimeoutMs] to wait for them.
 * @property {number} [endTimeoutMs] to wait for the end of the program.
 * @property {((run: import('./stage.mjs').Run) => string | undefined)[]} promises
 * @property {(parts: object) => Promise<import('./stage.mjs').Run>} [play] for more than one program.
 * @property {Partial<Scenario>} [short] what is different where there is little time.
 */

/** @type {Scenario[]} */
export const scenarios = [...processEnd, ...outage, ...rejection, ...load, ...crash];

export function scenarioNamed(name) {
  const scenario = scenarios.find((each) => each.name === name);
  if (scenario === undefined)
    throw new Error(`There is no scenario ${name}: ${scenarios.map(({ name }) => name).join(', ')}`);
  return scenario;
}

export function fits({ kind, ownOnly = false }, logger) {
  return (kind === undefined || kind === logger.kind) && (logger.isOwn || !ownOnly);
}
