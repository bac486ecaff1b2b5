import type { SendOutcome } from './send/sender.ts';

/** After this many refusals in a row, other records are tried. */
const SEVERAL = 3;

/** If the service has accepted nothing yet, this many rejected records are believed to be invalid. */
const MAX_FIRST_REJECTIONS = 10;

export const CONTENT_TOO_LARGE = 413;

/**
 * Collects evidence on the cause of refusals. A rejection is about the records, so it is final. A refusal, such as a 403,
 * may mean that the service refuses everything, for a wrong token, or that a firewall refuses one of the records. So other
 * records are tried; if they are accepted, the refused request is at fault.
 */
export class Refusals {
  /** Number of responses so far, which orders them. */
  responses = 0;
  /** Number of the latest response that accepted records; 0 if there is none. */
  acceptedAt = 0;
  inARow = 0;
  #firstRejections = 0;
  /** True at the end of a process, when there is no time to wait for a fix. */
  isHurried = false;

  /** True if other records should be tried. */
  get needOthers(): boolean {
    return this.inARow >= (this.isHurried ? 1 : SEVERAL);
  }

  /** True if others were tried, and refused, too. */
  get includeOthers(): boolean {
    return this.inARow > SEVERAL;
  }

  /** True if there is no time left to find the cause. */
  get areFinal(): boolean {
    return this.isHurried && this.inARow >= SEVERAL;
  }

  /** True if this number of refusals shows that a record is at fault. */
  areProof(times: number): boolean {
    return times >= SEVERAL;
  }

  /** Records a response. @returns the outcome: a refusal if a single record was rejected, but may not be at fault. */
  judge(response: SendOutcome, isLone = false): SendOutcome {
    const isDoubtful = response.kind === 'rejected' && isLone && this.#isDoubtful(response.statusCode);
    const outcome: SendOutcome = isDoubtful ? { ...response, kind: 'refused' } : response;
    this.responses++;
    if (outcome.kind === 'refused') this.inARow++;
    if (outcome.kind !== 'delivered') return outcome;
    this.acceptedAt = this.responses;
    this.inARow = 0;
    return outcome;
  }

  #isDoubtful(statusCode: number): boolean {
    if (statusCode === CONTENT_TOO_LARGE) return true;
    return this.acceptedAt === 0 && ++this.#firstRejections > MAX_FIRST_REJECTIONS;
  }
}
