// Logged records, which can be recognized and checked by their number.

const WORDS_SEED = 20_250_101;
const PAD_LENGTH = 1 << 20;

/** Matches the numbers of records in any encoding. */
export const RECORD_MARK = /rec-(\d+)\./g;

/** Each program has its own range of numbers; order is checked per program. */
export const NUMBERS_PER_PROGRAM = 100_000_000;

/** A seeded generator of numbers from 0 to 1. */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Text that compresses about as well as typical logs. */
const padText = (() => {
  const random = seededRandom(WORDS_SEED);
  const words = Array.from({ length: 2_000 }, () =>
    Math.floor(random() * 36 ** 6 + 36 ** 3)
      .toString(36)
      .slice(0, 3 + random() * 5),
  );
  let text = '';
  while (text.length < PAD_LENGTH) text += `${words[Math.floor(random() * words.length)]} `;
  return text;
})();

/**
 * @param {number} n
 * @param {number} bytes approximate size as JSON.
 */
export function recordOf(n, bytes = 230) {
  const padLength = Math.max(0, bytes - 150);
  const from = (n * 7_919) % (PAD_LENGTH - padLength);
  return {
    message: `rec-${n}.`,
    fields: {
      reqId: `r-${n}`,
      http: { method: 'GET', path: '/cart/items', status: 200 },
      ms: n % 97,
      pad: padText.slice(from, from + padLength),
    },
  };
}

/** Whether an event equals the logged record `n`. */
export function isIntact(attributes, n, bytes) {
  const { message, fields } = recordOf(n, bytes);
  return (
    (attributes.msg ?? attributes.message) === message &&
    Object.entries(fields).every(
      ([name, value]) => JSON.stringify(attributes[name]) === JSON.stringify(value),
    )
  );
}
