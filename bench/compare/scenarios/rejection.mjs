// Records and requests that the service rejects, and values that are difficult to serialize.
import { ODD_RECORDS } from '../odd-values.mjs';
import {
  endsWith,
  everyLossIsReported,
  losesAtMost,
  nothingIsDuplicated,
  nothingIsLost,
  nothingIsThrown,
  orderIsKept,
} from '../promises.mjs';

const BODY_LIMIT_BYTES = 200 * 1024;
const POISON = 500;

/** @type {import('../scenarios.mjs').Scenario[]} */
export const rejection = [
  {
    name: 'too-large',
    title: '4,000 records of 600 B, a service that takes 200 KiB per request (413)',
    work: { records: 4_000, bytes: 600 },
    ending: 'close on request',
    service: () => (request) => (request.bytes > BODY_LIMIT_BYTES ? { status: 413 } : undefined),
    promises: [nothingIsLost, nothingIsDuplicated, orderIsKept, endsWith(0)],
  },
  {
    name: 'poison',
    title: 'one of 1,000 records makes its request fail with 400: the others arrive, that one is reported',
    work: { records: 1_000, perSecond: 500 },
    ending: 'close on request',
    service: () => (request) => (request.numbers.includes(POISON) ? { status: 400 } : undefined),
    expected: 999,
    promises: [losesAtMost(1), everyLossIsReported, nothingIsDuplicated, orderIsKept, endsWith(0)],
  },
  {
    name: 'odd-values',
    title: `${ODD_RECORDS} records with odd values`,
    work: { records: ODD_RECORDS, odd: true },
    ending: 'close on request',
    promises: [nothingIsLost, nothingIsThrown, nothingIsDuplicated, endsWith(0)],
  },
];
