/**
 * @typedef {object} ProgramTask
 * @property {string} name
 * @property {string} question the program is an ES module; LOGSCALE_* are set
 * @property {(run: { code: number, stdout: string, stderr: string, events: readonly Record<string, unknown>[] }) => boolean} isRight
 * @property {string} answer
 * @property {readonly string[]} wrong
 * @property {(answer: string) => string} [inProgram] makes a program of an answer that is a part of one
 * @property {Readonly<Record<string, string>>} [env]
 * @property {{ env: Readonly<Record<string, string>> }} [broken] with these variables the program must fail
 */

const PINO = `import pino from 'pino';\n`;
const WINSTON = `import { LogTransport } from 'logclient/winston';\nimport winston from 'winston';\n`;
const has = (events, fields) =>
  events.some((event) => Object.entries(fields).every(([name, value]) => String(event[name]) === value));

/** A test that passes with BROKEN unset, and fails when the code under test logs something else. */
const TEST = (body) => `import { test } from 'node:test';
import * as kit from 'logclient/testing';
import pino from 'pino';

const logger = pino();
const pay = () => logger.error({ order: process.env.BROKEN ? 'o-1' : 'o-17', password: process.env.BROKEN ?? undefined }, 'payment failed');

test('logs a failed payment', async (t) => {
  const logs = await kit.captureLogs(logger, { quiet: true });
  t.after(() => logs.close());
  pay();
  ${body}
});
`;

/** @type {readonly ProgramTask[]} */
export const PROGRAM_TASKS = [
  {
    name: 'pino',
    question:
      'Log "order placed" with the field items = 3 at the level info with pino, shipped with the tag service=shop.',
    isRight: ({ code, events }) =>
      code === 0 && has(events, { msg: 'order placed', items: '3', level: 'info', '#service': 'shop' }),
    answer: `${PINO}const logger = pino(pino.transport({ target: 'logclient/pino', options: { tags: { service: 'shop' } } }));
logger.info({ items: 3 }, 'order placed');`,
    wrong: [
      `${PINO}pino().info({ items: 3, service: 'shop' }, 'order placed');`,
      `${PINO}const logger = pino(pino.transport({ target: 'logclient/pino', tags: { service: 'shop' } }));
logger.info({ items: 3 }, 'order placed');`,
    ],
  },
  {
    name: 'pino-serverless',
    question:
      'Log "thumbnail made" with pino from the main thread, wait until it is delivered, print "delivered", and then end the process with process.kill(process.pid, "SIGKILL").',
    isRight: ({ stdout, events }) => stdout.includes('delivered') && has(events, { msg: 'thumbnail made' }),
    answer: `${PINO}import { createPinoStream, flush } from 'logclient/pino';
const logger = pino(createPinoStream());
logger.info('thumbnail made');
await flush(logger);
console.log('delivered');
process.kill(process.pid, 'SIGKILL');`,
    wrong: [
      `${PINO}import { createPinoStream } from 'logclient/pino';
pino(createPinoStream()).info('thumbnail made');
console.log('delivered');
process.kill(process.pid, 'SIGKILL');`,
    ],
  },
  {
    name: 'winston-error',
    question:
      'Log an error "invoice not sent" with the Error "mailbox is full" with winston, so that error.message is a field.',
    isRight: ({ code, events }) =>
      code === 0 &&
      has(events, { level: 'error', message: 'invoice not sent', 'error.message': 'mailbox is full' }),
    answer: `${WINSTON}const logger = winston.createLogger({ transports: [new LogTransport()] });
logger.error('invoice not sent', { error: new Error('mailbox is full') });`,
    wrong: [
      `${WINSTON}const logger = winston.createLogger({ transports: [new LogTransport()] });
logger.error('invoice not sent', new Error('mailbox is full').message);`,
      `${WINSTON}const logger = winston.createLogger({ format: winston.format.json(), transports: [new winston.transports.Console()] });
logger.error('invoice not sent', { error: new Error('mailbox is full') });`,
    ],
  },
  {
    name: 'console',
    question: 'Ship what console.log("backup finished", { files: 312 }) prints, with the field files.',
    isRight: ({ code, stdout, events }) =>
      code === 0 && stdout.includes('backup finished') && has(events, { files: '312', level: 'info' }),
    answer: `import { captureConsole } from 'logclient/console';
captureConsole();
console.log('backup finished', { files: 312 });`,
    wrong: [`console.log('backup finished', { files: 312 });`],
  },
  {
    name: 'loglayer',
    question: 'Log "parcel rejected" at the level error with LogLayer, with the metadata { parcel: 7 }.',
    isRight: ({ code, events }) =>
      code === 0 && events.some((event) => event.level === 'error' && JSON.stringify(event).includes('"7"')),
    answer: `import { LogTransport } from 'logclient/loglayer';
import { LogLayer } from 'loglayer';
const log = new LogLayer({ transport: new LogTransport() });
log.withMetadata({ parcel: 7 }).error('parcel rejected');`,
    wrong: [
      `import { LogLayer, ConsoleTransport } from 'loglayer';
const log = new LogLayer({ transport: new ConsoleTransport({ logger: console }) });
log.withMetadata({ parcel: 7 }).error('parcel rejected');`,
    ],
  },
  {
    name: 'redact',
    question:
      'Log "login" with the fields user = "ann" and password = "s3cr3t" with pino; the service must receive the user, but not the password.',
    isRight: ({ code, events }) =>
      code === 0 && has(events, { msg: 'login', user: 'ann' }) && !JSON.stringify(events).includes('s3cr3t'),
    answer: `${PINO}import { createPinoTransport } from 'logclient/pino';
pino(createPinoTransport({ redact: true })).info({ user: 'ann', password: 's3cr3t' }, 'login');`,
    wrong: [
      `${PINO}import { createPinoTransport } from 'logclient/pino';
pino(createPinoTransport()).info({ user: 'ann', password: 's3cr3t' }, 'login');`,
    ],
  },
  {
    name: 'query-in-code',
    question:
      'The service has records with level=error in the tag service=shop. Print how many there are in the last hour, as a number.',
    isRight: ({ code, stdout }) => code === 0 && stdout.trim() === '2',
    answer: `import { LogClient } from 'logclient';
const [row] = await new LogClient().query('#service=shop level=error | count()', { start: '1h' });
console.log(Number(row._count));`,
    wrong: [
      `import { LogClient } from 'logclient';
console.log(await new LogClient().query('#service=shop level=error | count()', { start: '1h' }));`,
      `import { LogClient } from 'logclient';
const rows = await new LogClient().query('level=error', { start: '1h' });
console.log(rows.length);`,
    ],
  },
  {
    name: 'safe-values',
    question:
      'Print how many records have the field user with the value of the environment variable USER_NAME, which anyone can choose.',
    env: { USER_NAME: 'x" or user="ann' },
    isRight: ({ code, stdout }) => code === 0 && stdout.trim() === '0',
    answer: `import { LogClient, lql } from 'logclient';
const [row] = await new LogClient().query(lql\`user=\${process.env.USER_NAME} | count()\`);
console.log(Number(row._count));`,
    wrong: [
      `import { LogClient } from 'logclient';
const [row] = await new LogClient().query(\`user="\${process.env.USER_NAME}" | count()\`);
console.log(Number(row._count));`,
    ],
  },
  {
    name: 'tail-and-stop',
    question:
      'Follow the records with level=error, including the one that is already there, print the order of the first one, and end.',
    isRight: ({ code, stdout }) => code === 0 && /^o-\d\s*$/.test(stdout),
    answer: `import { LogClient } from 'logclient';
for await (const event of new LogClient().tail('level=error', { last: 1 })) {
  console.log(event.order);
  break;
}`,
    wrong: [
      `import { LogClient } from 'logclient';
for await (const event of new LogClient().tail('level=error | count()')) console.log(event.order);`,
    ],
  },
  {
    name: 'assert-a-record',
    question:
      'A test with node:test has called pay(). Write only the line that asserts that it has logged an error with order=o-17. logs is the result of captureLogs(logger), kit are the exports of logclient/testing.',
    isRight: ({ code }) => code === 0,
    broken: { env: { BROKEN: 'yes' } },
    inProgram: TEST,
    answer: `await kit.assertLogged(logs, { level: 'error', order: 'o-17' });`,
    wrong: [
      `await kit.assertLogged(logs, 'level=error');`,
      `await kit.assertLogged(logger, { level: 'error', order: 'o-17' });`,
    ],
  },
  {
    name: 'assert-no-secrets',
    question:
      'A test with node:test has called pay(). Write only the line that asserts that it has logged no password. logs is the result of captureLogs(logger), kit are the exports of logclient/testing.',
    isRight: ({ code }) => code === 0,
    broken: { env: { BROKEN: 'correct horse' } },
    inProgram: TEST,
    answer: `await kit.assertNoSecrets(logs);`,
    wrong: [`await kit.assertNotLogged(logs, 'passwort=*');`],
  },
];
