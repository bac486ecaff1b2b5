// Values that are difficult to serialize, one per record, and a plain record at the end.

const fail = () => {
  throw new Error('boom');
};

function circular() {
  const value = { name: 'ring' };
  value.self = value;
  return value;
}

function nested(depth) {
  let value = { bottom: true };
  for (let level = 0; level < depth; level++) value = { deeper: value };
  return value;
}

const makers = [
  circular,
  () => 12_345_678_901_234_567_890n,
  () => undefined,
  () => fail,
  () => Symbol('odd'),
  () => new AggregateError([new TypeError('top', { cause: new RangeError('root') }), 'text'], 'many'),
  () => Buffer.alloc(5_000, 'ab'),
  () => new Date(1_700_000_000_000),
  () => new Date(Number.NaN),
  () => new Map([['a', 1]]),
  () => new Set([1]),
  () => ({ kept: 1, toJSON: fail }),
  () => Object.defineProperty({ kept: 1 }, 'bad', { enumerable: true, get: fail }),
  () => 'a\ud800b',
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => JSON.parse('{"__proto__":{"polluted":true}}'),
  () =>
    new Proxy(
      {},
      { ownKeys: fail, get: fail, getPrototypeOf: fail, has: fail, getOwnPropertyDescriptor: fail },
    ),
  () => new Float64Array([1, 2]),
  () => new URL('https://user@example.com/a?b=c'),
  () => Object.assign(Object.create(null), { a: 1 }),
  () => nested(20_000),
  () => 'a\0b',
  () => new Error('with fields', { cause: circular() }),
  () => 'plain',
];

export const ODD_RECORDS = makers.length;

export function* oddRecords() {
  for (const [n, make] of makers.entries()) yield { message: `rec-${n}.`, fields: { odd: make() } };
}
