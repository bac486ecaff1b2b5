// What a logger promises, as checks of a run. Each check returns what went wrong, or `undefined`.
import { constants } from 'node:os';

const MEGABYTE = 1_000_000;
const MEBIBYTE = 1024 * 1024;

/** Checked in every run. */
export const ALWAYS = [somethingIsLogged, tokenIsNeverShown, contentIsIntact];

export function nothingIsLost({ lost, logged }) {
  if (lost !== 0) return `${lost} of ${logged} lost`;
}

export const losesAtMost = (records) =>
  function losesAtMost({ lost, logged }) {
    if (lost > records) return `${lost} of ${logged} lost, not ${records}`;
  };

export function orderIsKept({ inversions }) {
  if (inversions > 0) return `${inversions} out of order`;
}

export function nothingIsDuplicated({ duplicates }) {
  if (duplicates > 0) return `${duplicates} twice`;
}

/** Only records that were accepted without an acknowledgment may arrive twice. */
export function onlyUnacknowledgedIsDuplicated({ duplicates, unacknowledged }) {
  if (duplicates > unacknowledged)
    return `${duplicates} twice, but only ${unacknowledged} were unacknowledged`;
}

/** @param {number | 'SIGTERM'} expected also accepts the exit code that a shell uses for a signal. */
export const endsWith = (expected) =>
  function endsWith({ exit: { code, signal }, killed }) {
    if (killed) return 'never ended';
    if (expected === 'SIGTERM' && code === 128 + constants.signals.SIGTERM) return undefined;
    if ((signal ?? code) !== expected) return `ended with ${signal ?? code}, not ${expected}`;
  };

export const endsWithin = (ms) =>
  function endsWithin({ endMs }) {
    if (endMs > ms) return `took ${endMs} ms to end`;
  };

/**
 * Every record was delivered or is counted in the losses on stderr; both only if the sender cannot know. The format of
 * the
 * count is ours; for the peers, any output on a loss is enough.
 */
export function everyLossIsReported({ lost, stderr, logger, unacknowledged }) {
  if (!logger.startsWith('logclient'))
    return lost > 0 && stderr === '' ? `${lost} lost, none reported` : undefined;
  const reported = reportedLosses(stderr);
  if (reported < lost || reported > lost + unacknowledged) return `${lost} lost, ${reported} reported`;
}

export const printsAtMost = (lines) =>
  function printsAtMost({ stderr }) {
    const printed = linesOf(stderr).length;
    if (printed > lines) return `${printed} lines on stderr`;
  };

export const sendsAtMost = (requests, untilMs) =>
  function sendsAtMost(run) {
    const sent = run.requests.filter(({ sinceStartMs }) => sinceStartMs < untilMs).length;
    if (sent > requests) return `${sent} requests`;
  };

/** No request is sent earlier than the service asked for. */
export const honorsRetryAfter = (statuses, ms) =>
  function honorsRetryAfter({ requests }) {
    for (const [index, { at, status }] of requests.entries()) {
      const next = requests[index + 1];
      if (statuses.includes(status) && next !== undefined && next.at - at < ms - 10)
        return `retried after ${next.at - at} ms`;
    }
  };

export const staysBelow = (megabytes) =>
  function staysBelow({ peakRss }) {
    if (peakRss > megabytes * MEGABYTE) return `${Math.round(peakRss / MEGABYTE)} MB`;
  };

export const growsAtMost = (mebibytes) =>
  function growsAtMost({ peakRss, idleRss }) {
    const growth = (peakRss - idleRss) / MEBIBYTE;
    if (idleRss > 0 && peakRss > 0 && growth > mebibytes)
      return `${Math.round(growth)} MiB above the idle logger`;
  };

export function flushMeansDelivered({ flushed, logged }) {
  if (flushed === undefined) return 'the callback was never called';
  if (flushed.delivered < logged) return `${flushed.delivered} of ${logged} delivered when flush called back`;
}

export function nothingIsThrown({ thrown }) {
  if (thrown > 0) return `${thrown} log calls threw`;
}

/** Only for loggers with counters. */
export function countersBalance({ stats, logged, delivered }) {
  if (stats === undefined) return undefined;
  const dropped = Object.values(stats.dropped).reduce((sum, records) => sum + records, 0);
  const sum = stats.delivered + dropped + stats.queuedRecords + stats.inFlightRecords;
  if (stats.accepted !== logged || sum !== logged) return `counters: ${JSON.stringify(stats)} of ${logged}`;
  if (stats.delivered > delivered) return `counts ${stats.delivered} delivered of ${delivered}`;
}

/** Without records, all other checks would pass. */
function somethingIsLogged({ logged }) {
  if (logged === 0) return 'nothing was logged';
}

function tokenIsNeverShown({ tokenShown }) {
  if (tokenShown) return 'the token was shown';
}

function contentIsIntact({ damaged }) {
  if (damaged > 0) return `${damaged} changed in transit`;
}

/** Sum of the losses reported on stderr. */
export function reportedLosses(stderr) {
  return linesOf(stderr).reduce((sum, line) => {
    const count = /^logclient: (\d+) records? (?:was|were) dropped/.exec(line)?.[1];
    return sum + Number(count ?? 0);
  }, 0);
}

export function linesOf(text) {
  return text.split('\n').filter((line) => line !== '');
}

/** The promises of the scenario that the run broke. */
export function brokenPromises(scenario, run) {
  return [...ALWAYS, ...scenario.promises].map((check) => check(run)).filter((text) => text !== undefined);
}
