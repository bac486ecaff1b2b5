// The loggers of the comparison, and the baselines that they are held against.
import { loggers as compared, ownLoggers } from '../../compare/loggers/index.mjs';

export { ownLoggers };

const baseline = (create, kind) => ({
  module: new URL('./baselines.mjs', import.meta.url).href,
  create,
  kind,
});

export const BOUND = 'undici posting prepared batches';

/** What a logger of a kind is held against. */
export const BASELINES = { pino: 'pino to a file', winston: 'winston to nowhere' };

export const baselines = {
  [BOUND]: { ...baseline('preparedBatches', 'bound'), protocol: 'logscale' },
  'pino alone': baseline('pinoAlone', 'pino'),
  [BASELINES.pino]: baseline('pinoFile', 'pino'),
  [BASELINES.winston]: baseline('winstonNull', 'winston'),
};

/** Ours with other options; ratios are to those without. */
const variants = {
  'logclient pino format hec': {
    ...compared['logclient pino'],
    options: { format: 'hec' },
    other: 'logclient pino',
  },
};

export const loggers = { ...baselines, ...compared, ...variants };

/** Where nothing is chosen: the baselines, ours, and the peers. */
export const allLoggers = Object.keys(loggers);

/** @throws Error for a name that there is not */
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
