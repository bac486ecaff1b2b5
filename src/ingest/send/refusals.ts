import type { SendOutcome } from './sender.ts';

/** A request that was refused. */
export interface RefusedPart {
  readonly refusals: number;
  /** Number of the response that refused it first. */
  readonly refusedAt: number | undefined;
}

/** After this many refusals in a row, other records are tried. */
const SEVERAL = 3;

/** If the service has accepted nothing yet, this many rejected records are believed to be invalid. */
const MAX_FIRST_REJECTIONS = 10;

const CONTENT_TOO_LARGE = 413;

/**
 * Collects evidence on why requests are refused. A 403, for example, may mean that the service refuses everything, or that
 * a firewall refuses one of the records. So other records are tried; if they are accepted, the refused request is at fault.
 */
export class Refusals {
  /** Number of responses so far, which orders them. */
  responses = 0;
  /** Number of the latest response that accepted records; 0 if there is none. */
  acceptedAt = 0;
  #inARow = 0;
  #firstRejections = 0;
  /** True at the end of a process, when there is no time to wait for a fix. */
  isHurried = false;

  get inARow(): number {
    return this.#inARow;
  }

  /** True if other records should be tried. */
  get needOthers(): boolean {
    return this.#inARow >= (this.isHurried ? 1 : SEVERAL);
  }

  /** True if the time that is left is not enough for a fix. */
  get areFinal(): boolean {
    return this.isHurried && this.#inARow >= SEVERAL;
  }

  /** True if a record is at fault: it was refused several times, and others were accepted since the first time. */
  prove({ refusals, refusedAt = this.responses }: RefusedPart): boolean {
    return refusals >= SEVERAL && this.acceptedAt > refusedAt;
  }

  /**
   * Takes note of a response.
   *
   * @param isLone whether the request had a single record.
   * @returns the outcome. A rejection is a refusal if it may not be the fault of the record.
   */
  judge(outcome: SendOutcome, isLone = false): SendOutcome {
    if (outcome.kind === 'delivered') {
      this.acceptedAt = ++this.responses;
      this.#inARow = 0;
    }
    if (outcome.kind === 'rejected' && isLone && this.#isDoubtful(outcome.statusCode)) {
      return this.judge({ ...outcome, kind: 'refused' });
    }
    if (outcome.kind === 'refused') {
      this.responses++;
      this.#inARow++;
    }
    return outcome;
  }

  #isDoubtful(statusCode: number): boolean {
    if (statusCode === CONTENT_TOO_LARGE) return true;
    return this.acceptedAt === 0 && ++this.#firstRejections > MAX_FIRST_REJECTIONS;
  }
}
