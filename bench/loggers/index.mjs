// The compared loggers and their baselines.
import { loggers as compared, ownLoggers } from '../compare/loggers/index.mjs';

export { ownLoggers };

const baseline = (create, kind) => ({
  module: new URL('./baselines.mjs', import.meta.url).href,
  create,
  kind,
});

export const BOUND = 'undici posting prepared batches';

/** The baseline for each kind of logger. */
export const BASELINES = { pino: 'pino to a file', winston: 'winston to nowhere' };

export const baselines = {
  [BOUND]: { ...baseline('preparedBatches', 'bound'), protocol: 'logscale' },
  'pino alone': baseline('pinoAlone', 'pino'),
  [BASELINES.pino]: baseline('pinoFile', 'pino'),
  [BASELINES.winston]: baseline('winstonNull', 'winston'),
};

const REDACT = {
  keys: ['ssn', 'customerName', 'iban', 'pin', 'birthDate', 'phone', 'taxId', 'passport', 'address', 'note'],
  patterns: { email: true },
};

/** Ten keys and all patterns. */
const redacting = (other) => ({ ...compared[other], options: { redact: REDACT }, other });

/** Our loggers with other options; ratios are relative to the default options. */
const variants = {
  'logclient pino format hec': {
    ...compared['logclient pino'],
    options: { format: 'hec' },
    other: 'logclient pino',
  },
  'logclient pino redact': redacting('logclient pino'),
  'logclient pino in-process redact': redacting('logclient pino in-process'),
  'logclient pino in-process redact, two secrets per record': {
    ...redacting('logclient pino in-process'),
    hasSecrets: true,
    other: 'logclient pino in-process redact',
  },
};

export const loggers = { ...baselines, ...compared, ...variants };

/** All loggers, which is also the default selection. */
export const allLoggers = Object.keys(loggers);

/** @throws Error for an unknown name */
export function chosenLoggers(text) {
  const names = text.split(',').map((name) => name.trim());
  const groups = { own: ownLoggers, baselines: Object.keys(baselines) };
  return names.flatMap((name) => {
    if (groups[name] === undefined && loggers[name] === undefined) {
      throw new Error(`There is no logger ${name}: own, baselines, ${allLoggers.join(', ')}`);
    }
    return groups[name] ?? [name];
  });
}
