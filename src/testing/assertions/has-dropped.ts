import { LogOptionsException } from '../../core/errors.ts';
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
  const drops = loggers
    .flatMap((logger) => Object.entries(logger.dropped()))
    .filter(([, count]) => count > 0);
  const total = drops.reduce((sum, [, count]) => sum + count, 0);
  const reasons = drops.map(([reason, count]) => `${count} ${reason}`).join(', ');
  const found = `Expected no dropped records, found ${total}: ${reasons}.`;
  return { pass: total > 0, explain: () => [isNot ? found : 'No records were dropped.'] };
}
