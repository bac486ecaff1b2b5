/**
 * The parts of undici that a request needs. All of undici would take twice the time to load and twice the memory, in
 * every program that logs. Its version is pinned, so that they stay where they are.
 */
import type * as undici from 'undici';
// @ts-expect-error The parts have no types; those of the whole hold for them.
import connectPart from 'undici/lib/core/connect.js';
// @ts-expect-error
import agentPart from 'undici/lib/dispatcher/agent.js';
// @ts-expect-error
import globalPart from 'undici/lib/global.js';

export const Agent: typeof undici.Agent = agentPart;
export const buildConnector: typeof undici.buildConnector = connectPart;
export const getGlobalDispatcher: typeof undici.getGlobalDispatcher = globalPart.getGlobalDispatcher;
