// What does a steady stream of records cost if no backlog builds up?
import { compareLoggers } from './transports.mjs';

const PER_SECOND = 10_000;

export const steady = {
  name: 'steady',
  title: 'transports at a steady rate',
  async run(settings) {
    const perSecond = settings.rate ?? PER_SECOND;
    const seconds = settings.amount({ full: 20, short: 3, tiny: 0.2 });
    return `${perSecond} records/s\n\n${await compareLoggers(settings, {
      records: settings.records ?? Math.round(perSecond * seconds),
      perSecond,
    })}`;
  },
};
