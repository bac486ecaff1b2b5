// What is logged: records that can be told apart, and checked, by their number alone.

const WORDS_SEED = 20_250_101;
const PAD_LENGTH = 1 << 20;

/** Finds the numbers of the records in whatever form they travel in. */
export const RECORD_MARK = /rec-(\d+)\./g;

/** Each of several programs has numbers of its own; order is a matter of one program. */
export const NUMBERS_PER_PROGRAM = 100_000_000;

/** A generator of numbers from 0 to 1, the same for the same seed. */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Text that compresses about as well as logs do. */
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
 * @param {number} bytes about the size as JSON.
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

/** Whether an event holds what was logged as record `n`. */
export function isIntact(attributes, n, bytes) {
  const { message, fields } = recordOf(n, bytes);
  return (
    (attributes.msg ?? attributes.message) === message &&
    Object.entries(fields).every(
      ([name, value]) => JSON.stringify(attributes[name]) === JSON.stringify(value),
    )
  );
}
