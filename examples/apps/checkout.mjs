// A checkout that fails for some customers. docs/mcp.md finds out why from its log.
import pino from 'pino';

const logger = pino({ name: 'checkout' }, pino.destination({ sync: true }));

/** The file was written by a version that knew fewer currencies. */
const ratesFile = { path: 'cache/rates.json', version: 3, rates: { EUR: 1, DKK: 7.46 } };

logger.info({ port: 8080 }, 'listening');
const missing = ['SEK', 'NOK'].filter((currency) => !(currency in ratesFile.rates));
logger.warn(
  { path: ratesFile.path, version: ratesFile.version, missing },
  'rates of an older version loaded',
);

const currencies = ['EUR', 'DKK', 'EUR', 'SEK', 'DKK', 'EUR'];
for (let i = 0; i < 60; i++) {
  const request = logger.child({ requestId: `r-${100 + i}`, order: `o-${i}` });
  const currency = currencies[i % currencies.length];
  request.info({ method: 'POST', path: '/checkout' }, 'request received');
  try {
    const rate = ratesFile.rates[currency];
    if (rate === undefined) throw new RangeError(`no rate for ${currency}`);
    request.info({ amount: Math.round((20 + i) * rate), currency, ms: 8 + (i % 7) }, 'order paid');
  } catch (err) {
    request.error({ err, currency, status: 500 }, 'checkout failed');
  }
}
