import { inspect } from 'node:util';
import { expect } from 'vitest';
import {
  brokenPromises,
  fits,
  loggers,
  ownLoggers,
  play,
  scenarioNamed,
} from '../../bench/compare/index.mjs';

/** At full length and with every logger if set; otherwise with less work. */
const FULL = process.env.RELIABILITY_FULL === '1';

/** One with a worker and one without; the other code is the same for all. */
export const TWO_LOGGERS: readonly string[] = ['logclient pino', 'logclient winston in-process'];

/** Runs a scenario with our loggers and expects that each of them keeps every promise. */
export async function expectPromisesKept(
  name: string,
  { among = ownLoggers, atOnce = 4 }: { among?: readonly string[]; atOnce?: number } = {},
): Promise<void> {
  const scenario = scenarioNamed(name);
  const waiting = (FULL ? ownLoggers : among).filter((logger) => fits(scenario, loggers[logger]!)).values();
  const broken: Record<string, unknown> = {};
  const playNext = async (): Promise<void> => {
    for (const logger of waiting) {
      const run = await play(scenario, logger, { short: !FULL });
      const promises = brokenPromises(scenario, run);
      if (promises.length > 0) broken[logger] = { promises, stderr: run.stderr };
    }
  };
  await Promise.all(Array.from({ length: FULL && scenario.heavy ? 1 : atOnce }, playNext));
  expect(broken, inspect(broken, { depth: 5 })).toEqual({});
}
