import { LogException, LogOptionsException } from '../../core/errors.ts';
import {
  describe,
  refuseUnknownOptions,
  requireInteger,
  requireOptions,
  requireText,
} from '../../core/option-checks.ts';
import { resolveRedactKeys } from '../../ingest/options.ts';
import type { LogExpectation } from '../expectations/expectation.ts';
import { type AssertionOptions, resolveSearch } from '../log-source.ts';
import { dropsText } from '../loggers/capture-delivery.ts';
import { DEFAULT_TIMEOUT_MS, eventually } from './eventually.ts';
import { requireEvidence } from './evidence.ts';
import { type BaselineMode, hasNoNewPatterns } from './has-no-new-patterns.ts';
import { hasNoSecrets, type NoSecretsOptions } from './has-no-secrets.ts';
import { loggedInOrder } from './logged-in-order.ts';
import { loggedTimes, type Range, requireTimes, type Times } from './logged-times.ts';
import {
  ASSERTION_TARGET,
  type AssertionContext,
  type AssertionTarget,
  type LogAssertion,
} from './verdict.ts';

/** Options of an assertion that waits. */
export interface EventualAssertionOptions extends AssertionOptions {
  /** Maximum time to wait, in milliseconds. @default 4_000, below the usual test timeout of 5 s */
  timeoutMs?: number | undefined;
  /** Number of records, or a range `{ min, max }`. Passes once it is reached, fails once it is exceeded. @default at least one */
  times?: Times | undefined;
}

const NO_PROOF =
  'A missing record could match, so this proves nothing. Let the logger deliver all records, or check only those that arrive: with toHaveLogged(), toEventuallyHaveLogged(), toHaveDropped() or logs.client.query().';

/**
 * Evaluates an assertion when all records have arrived, or after a timeout. It throws a LogException if missing records
 * could turn its success into a failure.
 */
function flushed(look: LogAssertion): LogAssertion {
  return async (context) => {
    const missing = await context.source.flush();
    const verdict = await look(context);
    if (missing.length === 0) return verdict;
    if (verdict.searched !== undefined && verdict.pass !== context.isNot)
      throw new LogException([...missing, NO_PROOF].join('\n'), 'LOG_TIMEOUT');
    return { ...verdict, explain: async () => [...(await verdict.explain()), '', ...missing] };
  };
}

/** @throws LogOptionsException */
export function logged(owner: string, expectation: LogExpectation, options?: AssertionOptions): LogAssertion {
  return flushed(matching(owner, expectation, undefined, options));
}

/** @throws LogOptionsException */
export function times(
  owner: string,
  expectation: LogExpectation,
  times: Times,
  options?: AssertionOptions,
): LogAssertion {
  return flushed(matching(owner, expectation, requireTimes(owner, times), options));
}

/** Any matching record, or a number of them. */
function matching(
  owner: string,
  expectation: LogExpectation,
  range: Range | undefined,
  options: AssertionOptions = {},
  ownOptions?: readonly string[],
): LogAssertion {
  const [resolved] = resolveSearch(owner, [expectation], options, ownOptions);
  return (context) => loggedTimes(context, resolved!, range, options);
}

/** @throws LogOptionsException */
export function order(
  owner: string,
  expectations: readonly LogExpectation[],
  options?: AssertionOptions,
): LogAssertion {
  if (!Array.isArray(expectations) || expectations.length === 0) {
    const got = Array.isArray(expectations) ? 'an empty array' : describe(expectations);
    throw new LogOptionsException(`${owner} expects an array of queries or objects of fields (got ${got}).`);
  }
  const resolved = resolveSearch(owner, expectations, options);
  return flushed((context) => loggedInOrder(context, resolved, options));
}

/** @throws LogOptionsException */
export function eventual(
  owner: string,
  expectation: LogExpectation,
  options?: EventualAssertionOptions,
): LogAssertion {
  if (options !== undefined) requireOptions(owner, options);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, times, ...others } = options ?? {};
  // With none, it would not wait.
  const range = times === undefined ? undefined : requireTimes(owner, times, 1);
  const look = matching(owner, expectation, range, others, ['timeoutMs', 'times']);
  requireInteger(owner, 'timeoutMs', timeoutMs, { min: 1 });
  return async (context) => {
    if (!context.isNot) return eventually(context, look, timeoutMs);
    throw new LogOptionsException(
      `not.${owner} is not supported: it would wait forever. Wait for the last expected record, then use "await expect(logs).not.toHaveLogged(…)".`,
    );
  };
}

/** Whether a captured or tracked logger has dropped records. It throws a LogOptionsException if there is no such logger. */
export const dropped: LogAssertion = flushed(async ({ loggers, isNot }) => {
  if (loggers.length === 0)
    throw new LogOptionsException(
      'No logger is captured or tracked: call logs.capture(logger) or logs.track(logger).',
    );
  const counts = loggers.flatMap(({ delivery }) => delivery.dropped ?? []);
  const total = counts.flatMap((each) => Object.values(each)).reduce((sum, count) => sum + count, 0);
  if (total === 0 && counts.length < loggers.length)
    throw new LogOptionsException(
      'A tracked logger has no "stats", so nothing is known of what it dropped. Track its transport, stream or Ingester.',
    );
  const found = `Expected no dropped records, found ${total}: ${dropsText(counts)}.`;
  const searched = total > 0 ? undefined : {};
  return { pass: total > 0, searched, explain: () => [isNot ? found : 'No records were dropped.'] };
});

/** @throws LogOptionsException */
export function noSecrets(owner: string, options?: NoSecretsOptions): LogAssertion {
  if (options !== undefined) refuseUnknownOptions(owner, options, ['keys']);
  resolveRedactKeys(owner, options?.keys);
  return flushed((context) => hasNoSecrets(context, options));
}

/** @throws LogOptionsException */
export function noNewPatterns(owner: string, baseline: string, mode: BaselineMode): LogAssertion {
  requireText(owner, 'baseline', baseline);
  return flushed((context) => hasNoNewPatterns(context, baseline, mode));
}

/**
 * Evaluates an assertion and explains its failure; the text is empty if it passes.
 *
 * @param name the assertion, as the test calls it
 * @param frames of its call
 * @param received must be the result of `startLogTest()`
 * @throws LogOptionsException, LogException; also for more arguments than the assertion has, which it would ignore
 */
export async function evaluate<Arguments extends unknown[]>(
  name: string,
  frames: string,
  received: unknown,
  prepare: (owner: string, ...args: Arguments) => LogAssertion,
  args: Arguments,
  style: Pick<AssertionContext, 'isNot' | 'paint'>,
): Promise<{ readonly pass: boolean; readonly text: string }> {
  const known: AssertionTarget | undefined = Object(received)[ASSERTION_TARGET];
  if (known === undefined) throw noTarget(name, received);
  const more = args.slice(Math.max(0, prepare.length - 1)).find((each) => each !== undefined);
  if (more !== undefined)
    throw new LogOptionsException(`${name} has no such argument (got ${describe(more)} as the last one).`);
  const assertion = prepare(name, ...args);
  const { pending, ...target } = known;
  return pending.run(name, frames, async (isOver) => {
    const verdict = await assertion({ ...target, ...style, isOver });
    const isMet = verdict.pass !== style.isNot;
    if (isMet && verdict.searched !== undefined) await requireEvidence(target, verdict);
    if (isMet) return { pass: verdict.pass, text: '' };
    pending.haveFailed = true;
    const text = target.source.mask.text((await verdict.explain()).join('\n').trimEnd());
    return { pass: verdict.pass, text };
  });
}

function noTarget(owner: string, value: unknown): LogOptionsException {
  const isLogger = ['info', 'error'].every((name) => typeof Object(value)[name] === 'function');
  return new LogOptionsException(
    isLogger
      ? `${owner} can't read from a logger: pass "logs", the result of startLogTest() or captureLogs().`
      : `${owner} expects the result of startLogTest() or captureLogs() (got ${describe(value)}). Both return a promise: add \`await\`. In vitest, the fixture needs import { logTest as test } from 'logclient/testing/vitest'.`,
  );
}
