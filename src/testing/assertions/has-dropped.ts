import { LogOptionsException } from '../../core/errors.ts';
import { dropsText } from '../loggers/capture-delivery.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/**
 * Whether a captured or tracked logger has dropped records.
 *
 * @throws LogOptionsException if there is no such logger
 */
export async function hasDropped({ loggers, isNot }: AssertionContext): Promise<Verdict> {
  if (loggers.length === 0)
    throw new LogOptionsException(
      'No logger is captured or tracked: call logs.capture(logger) or logs.track(logger).',
    );
  const counts = loggers.map((logger) => logger.dropped());
  const total = counts.flatMap((each) => Object.values(each)).reduce((sum, count) => sum + count, 0);
  const found = `Expected no dropped records, found ${total}: ${dropsText(counts)}.`;
  return { pass: total > 0, explain: () => [isNot ? found : 'No records were dropped.'] };
}
