// All scenarios, in the order of the table.
import { crash } from './scenarios/crash.mjs';
import { fault } from './scenarios/fault.mjs';
import { load } from './scenarios/load.mjs';
import { outage } from './scenarios/outage.mjs';
import { processEnd } from './scenarios/process-end.mjs';
import { rejection } from './scenarios/rejection.mjs';

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} title
 * @property {'pino' | 'winston'} [kind] loggers that the scenario applies to. Default: both.
 * @property {{records: number, bytes?: number, perSecond?: number, forMs?: number, perTurn?: number, odd?: boolean}}
 * work
 * @property {string} ending what the program does after logging, see child.mjs.
 * @property {string} [signal] signal sent to the program after logging.
 * @property {boolean} [ownOnly] the peers have no such feature.
 * @property {boolean} [heavy] needs the CPU for itself.
 * @property {boolean} [idle] also measures the idle logger.
 * @property {() => (request: import('./oracle.mjs').IngestRequest) => import('./oracle.mjs').Answer | undefined}
 * [service]
 * @property {{fromMs: number, toMs: number}} [down] when the service refuses connections.
 * @property {object} [options] options for our own loggers, in addition to the address and the token.
 * @property {number} [expected] number of deliveries to wait for. Default: all.
 * @property {number} [deliveryTimeoutMs] how long to wait for them.
 * @property {number} [endTimeoutMs] how long to wait for the end of the program.
 * @property {((run: import('./stage.mjs').Run) => string | undefined)[]} promises
 * @property {(parts: object) => Promise<import('./stage.mjs').Run>} [play] runs a scenario with several programs.
 * @property {Partial<Scenario>} [short] changes for the short form.
 */

/** @type {Scenario[]} */
export const scenarios = [...processEnd, ...outage, ...rejection, ...fault, ...load, ...crash];

export function scenarioNamed(name) {
  const scenario = scenarios.find((each) => each.name === name);
  if (scenario === undefined)
    throw new Error(`There is no scenario ${name}: ${scenarios.map(({ name }) => name).join(', ')}`);
  return scenario;
}

export function fits({ kind, ownOnly = false }, logger) {
  return (kind === undefined || kind === logger.kind) && (logger.isOwn || !ownOnly);
}
