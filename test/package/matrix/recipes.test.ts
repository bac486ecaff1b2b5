import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LogClient, type LogEvent } from '../../../src/index.ts';
import { startLocalServer } from '../../../src/server/index.ts';
import { eventually } from '../../helpers/eventually.ts';
import { RecipeProject, type RecipeRun, readRecipes } from './recipe-project.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const SECRET = 's3cr3t';
const STACK_WITH_CAUSE = /Error: no stock\n +at [\s\S]*Error: store oslo is closed\n +at /;
/** Ends an app without changing its code. */
const ON_SIGNAL = `--import data:text/javascript,${encodeURIComponent(
  "process.once('SIGUSR2', () => process.exit(3)); process.once('SIGHUP', () => { throw new Error('crashed'); })",
)}`;
/** nextjs.test.ts builds the others. */
const recipes = (await readRecipes()).filter(({ name }) => name !== 'nextjs');

/** What a program needs to connect to a local server, and a client that reads from it. */
interface Service {
  readonly client: LogClient;
  readonly env: Record<string, string>;
}

async function startService(): Promise<Service> {
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  const { url, repository, userToken, ingestToken } = server;
  const env = {
    LOGSCALE_URL: url,
    LOGSCALE_REPOSITORY: repository,
    LOGSCALE_TOKEN: userToken,
    LOGSCALE_INGEST_TOKEN: ingestToken,
    NEXT_TELEMETRY_DISABLED: '1',
    PORT: '0',
  };
  return { env, client: new LogClient({ baseUrl: url, repository, userToken }) };
}

/** Reads one order and fails to place another, both with an ID and a secret in a header. */
async function callOrders(url: string): Promise<void> {
  const headers = (id: string) => ({ 'x-request-id': id, authorization: `Bearer ${SECRET}`, cookie: SECRET });
  const read = await fetch(`${url}/orders/o-1`, { headers: headers('r-1') });
  expect(await read.json()).toEqual({ id: 'o-1' });
  const place = await fetch(`${url}/orders?store=oslo`, { method: 'POST', headers: headers('r-2') });
  expect(place.status).toBe(500);
  await place.text();
}

describe('Recipes', { timeout: 120_000 }, () => {
  let project: RecipeProject;

  beforeAll(async () => {
    project = await RecipeProject.install(recipes);
  }, 300_000);

  afterAll(() => project?.[Symbol.asyncDispose]());

  const start = (name: string, script: string, env: Record<string, string>): RecipeRun => {
    const run = project.start(name, script, env);
    onTestFinished(() => void run.child.kill('SIGKILL'));
    return run;
  };

  /** Runs a script to its end. @returns its output */
  const runToEnd = async (name: string, script: string, env: Record<string, string>): Promise<string> => {
    const run = start(name, script, env);
    expect([await run.exit(), run.output]).toEqual([[0, null], expect.anything()]);
    return run.output;
  };

  /** Starts a server. @returns its address and its process */
  const serve = async (name: string, env: Record<string, string>): Promise<[string, RecipeRun]> => {
    const run = start(name, 'start', env);
    const address = await eventually(() => /http:\S+(?=\s)/.exec(run.output)?.[0] ?? expect.fail(run.output));
    return [address, run];
  };

  it('compile in strict TypeScript', async () => {
    expect(await project.typeErrors()).toBe('');
  });

  it.each([
    { name: 'fastify', id: 'reqId', error: 'err' },
    { name: 'express-pino', id: 'reqId', error: 'err' },
    { name: 'express-winston', id: 'requestId', error: 'error' },
    { name: 'nestjs', id: 'reqId', error: 'err' },
  ])('$name: queries find the requests, errors and shutdown', async ({ name, id, error }) => {
    const { client, env } = await startService();
    if (name === 'nestjs') await runToEnd(name, 'build', env);
    const [url, run] = await serve(name, env);
    await callOrders(url);
    // Nest's shutdown hooks end the process with the signal; the others exit by themselves.
    expect(await run.stop()).toEqual(name === 'nestjs' ? [null, 'SIGTERM'] : [0, null]);

    const text = 'text := coalesce([msg, message])';
    const read = `#service=orders ${id}="r-1" order.id=* | ${text} | select([text, level, order.id])`;
    expect(await client.query(read)).toEqual([{ text: 'order read', level: 'info', 'order.id': 'o-1' }]);
    const failures = await client.query(
      `#service=orders ${id}="r-2" level=error ${error}.message=/^no stock/`,
    );
    const stacks = failures.map((row) => `${row[`${error}.stack`]}\n${row[`${error}.cause.stack`]}`);
    expect(stacks[0]).toMatch(STACK_WITH_CAUSE);
    expect(await client.query(`${text} | text=closed | groupBy(level)`)).toEqual([
      { level: 'info', _count: '1' },
    ]);
    expect(await client.query(`"${SECRET}" | count()`)).toEqual([{ _count: '0' }]);
  });

  it('aws-lambda: each invocation delivers its records before the platform freezes it', async () => {
    const { client, env } = await startService();
    const run = start('aws-lambda', 'start', { ...env, AWS_LAMBDA_FUNCTION_NAME: 'read-order' });
    const invoke = async (event: object): Promise<void> => {
      const before = run.output;
      run.child.stdin!.write(`${JSON.stringify(event)}\n`);
      await eventually(() => expect(run.output).not.toBe(before));
      run.child.kill('SIGSTOP');
    };

    await invoke({ order: 'o-1' });
    const fields = '| select([level, coldStart, function, msg])';
    expect(await client.query(`order="o-1" requestId=* ${fields}`)).toEqual([
      { level: 'info', coldStart: 'true', function: 'read-order', msg: 'order read' },
    ]);
    run.child.kill('SIGCONT');
    await invoke({});
    expect(await client.query(`level=error err.stack=* requestId=* ${fields}`)).toEqual([
      { level: 'error', coldStart: 'false', function: 'read-order', msg: 'invocation failed' },
    ]);
    run.child.kill('SIGCONT');
    run.child.stdin!.end();
    expect(await run.exit()).toEqual([0, null]);
  });

  it('opentelemetry: a trace ID finds the records of two services, from pino and winston', async () => {
    const { client, env } = await startService();
    const [url, run] = await serve('opentelemetry', env);
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    const answer = await fetch(`${url}/orders`, { headers: { traceparent } });
    expect(await answer.text()).toBe(traceId);
    await (await fetch(`${url}/orders`)).text();
    expect(await run.stop()).toEqual([0, null]);

    const query = `trace_id=${traceId} span_id=* | groupBy([#service, level])`;
    expect(await client.query(query)).toEqual([
      { '#service': 'shop', level: 'error', _count: '1' },
      { '#service': 'shop', level: 'info', _count: '1' },
      { '#service': 'stock', level: 'warn', _count: '1' },
    ]);
    expect(await client.query('trace_id=* | count(trace_id, distinct=true)')).toEqual([{ _count: '2' }]);
  });

  it('opentelemetry: a mixin and a format add the same IDs without instrumentation', async () => {
    const { client, env } = await startService();
    const traceId = (await runToEnd('opentelemetry', 'mixin', env)).trim();
    expect(await client.query(`trace_id="${traceId}" span_id=* | groupBy(#service)`)).toEqual([
      { '#service': 'shop', _count: '1' },
      { '#service': 'stock', _count: '1' },
    ]);
    expect(await client.query('trace_id!=* | select(msg)')).toEqual([{ msg: 'outside of a span' }]);
  });

  it('opentelemetry: the SDK sends its logs to the local server', async () => {
    const { client, env } = await startService();
    const traceId = await runToEnd('opentelemetry', 'otlp', {
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${env.LOGSCALE_URL}/api/v1/ingest/otlp/v1/logs`,
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: `Authorization=Bearer%20${env.LOGSCALE_INGEST_TOKEN}`,
    });
    const query = 'groupBy([resource.service.name, severity_text, message, order, trace_id, trace_flags])';
    expect(await client.query(query)).toEqual([
      {
        'resource.service.name': 'shop',
        severity_text: 'INFO',
        message: 'order received',
        order: 'o-17',
        trace_id: traceId.trim(),
        trace_flags: '01',
        _count: '1',
      },
    ]);
  });

  it('redaction: secrets leave the process neither in fields nor in text', async () => {
    const { client, env } = await startService();
    await runToEnd('redaction', 'start', env);
    expect(await client.query('order.id="o-17" order.payment.total=41.9 | groupBy(#service)')).toEqual([
      { '#service': 'orders-pino', _count: '1' },
      { '#service': 'orders-winston', _count: '1' },
    ]);
    expect(await client.query('order.customer.password="[redacted]" | count()')).toEqual([{ _count: '2' }]);
    const secrets = '"tr0ub4dor" or "4111" or "ada@" or "s3cr3t" | count()';
    expect(await client.query(secrets)).toEqual([{ _count: '0' }]);
  });

  it('environments: the same program ships to staging, to production or to no service', async () => {
    const services = { staging: await startService(), production: await startService() };
    for (const [name, { env }] of Object.entries(services)) {
      const level = name === 'staging' ? 'debug' : 'info';
      const lines = Object.entries({ ...env, APP_ENV: name, LOG_LEVEL: level }).map((pair) => pair.join('='));
      await writeFile(project.path('environments', `${name}.env`), lines.join('\n'));
    }
    expect(await runToEnd('environments', 'start', {})).toMatch(/"env":"development".*"msg":"order placed"/);
    await runToEnd('environments', 'start:staging', {});
    await runToEnd('environments', 'start:production', {});

    const levels = async (name: keyof typeof services) =>
      (await services[name].client.query(`#env=${name} | groupBy(level)`)).map(({ level }) => level);
    expect(await levels('staging')).toEqual(['debug', 'error', 'info']);
    expect(await levels('production')).toEqual(['error', 'info']);
    expect(await services.staging.client.query('#env!=staging | count()')).toEqual([{ _count: '0' }]);
    expect(await runToEnd('environments', 'errors', {})).toMatch(
      /'staging' .* '1' [\s\S]*'production' .* '1' /,
    );
  });

  it('pino-pretty: development sends records and prints readable lines, production only sends', async () => {
    const { client, env } = await startService();
    expect(await runToEnd('pino-pretty', 'start', env)).toMatch(
      /DEBUG.*cache read[\s\S]*INFO.*order placed\n +order: \{\n +"id": "o-17"/,
    );
    expect(await runToEnd('pino-pretty', 'start', { ...env, NODE_ENV: 'production' })).toBe('');
    expect(await client.query('#service=orders | groupBy([level, msg]) | sort(level)')).toEqual([
      { level: 'info', msg: 'order placed', _count: '2' },
      { level: 'debug', msg: 'cache read', _count: '1' },
    ]);
  });

  it('two-destinations: one receives every record, the other only errors', async () => {
    const [all, errors] = [await startService(), await startService()];
    const { LOGSCALE_URL: url = '', LOGSCALE_INGEST_TOKEN: token = '' } = errors.env;
    await runToEnd('two-destinations', 'start', { ...all.env, ERRORS_URL: url, ERRORS_INGEST_TOKEN: token });
    const error = [
      { '#service': 'orders-pino', level: 'error', _count: '1' },
      { '#service': 'orders-winston', level: 'error', _count: '1' },
    ];
    const info = error.map((row) => ({ ...row, level: 'info' }));
    const query = 'groupBy([#service, level]) | sort([level, #service], order=asc, type=string)';
    expect(await all.client.query(query)).toEqual([...error, ...info]);
    expect(await errors.client.query(query)).toEqual(error);
  });

  it('file: each record is written to a file and sent to the service', async () => {
    const { client, env } = await startService();
    await runToEnd('file', 'start', env);
    for (const [file, text] of [
      ['pino.log', { level: 30, msg: 'order placed' }],
      ['winston.log', { level: 'info', message: 'order placed' }],
    ] as const) {
      expect(JSON.parse(await readFile(project.path('file', `logs/${file}`), 'utf8'))).toMatchObject(text);
    }
    expect(await client.query('order.id="o-17" level=info | count()')).toEqual([{ _count: '2' }]);
  });

  it('levels: debug records are printed but not sent', async () => {
    const { client, env } = await startService();
    const printed = await runToEnd('levels', 'start', env);
    expect(printed.match(/cache read/g)).toHaveLength(2);
    expect(await client.query('groupBy([#service, level])')).toEqual([
      { '#service': 'orders-pino', level: 'info', _count: '1' },
      { '#service': 'orders-winston', level: 'info', _count: '1' },
    ]);
  });

  it.each([
    { script: 'start', query: 'level=fatal msg="uncaught exception" err.message="no stock" err.stack=*' },
    { script: 'winston', query: 'level=error message="unhandledRejection: no stock*" stack=*' },
  ])(
    'uncaught-exceptions: a rejection is printed and sent, and ends the process ($script)',
    async ({ script, query }) => {
      const { client, env } = await startService();
      const run = start('uncaught-exceptions', script, env);
      expect(await run.exit()).toEqual([1, null]);
      expect(run.output).toMatch(/no stock\n? +at |no stock\\n/);
      expect(await client.query(`#service=orders ${query} | count()`)).toEqual([{ _count: '1' }]);
    },
  );

  it('nest-winston: winston logs requests, errors and shutdown', async () => {
    const { client, env } = await startService();
    await runToEnd('nest-winston', 'build', env);
    const [url, run] = await serve('nest-winston', env);
    await callOrders(url);
    expect(await run.stop()).toEqual([null, 'SIGTERM']);
    const rows = await client.query('#service=orders context=OrdersController | select([message, order.id])');
    expect(rows.toReversed()).toEqual([{ message: 'order read', 'order.id': 'o-1' }, { message: 'closed' }]);
    const [failure] = await client.query('level=error message="no stock in oslo"');
    expect(failure?.['stack[0]']).toMatch(/^Error: no stock in oslo\n +at /);
  });

  describe.each([
    { name: 'express-pino-auto', text: 'msg', error: 'err.stack', line: /^\{"level"/gm },
    { name: 'nest-winston-auto', text: 'message', error: 'stack[0]', line: /\[orders\]/g },
  ])('$name: unmodified app', ({ name, text, error, line }) => {
    it.each([
      { ending: 'SIGTERM', signal: 'SIGTERM', end: [null, 'SIGTERM'], crash: [] },
      { ending: 'process.exit()', signal: 'SIGUSR2', end: [3, null], crash: [] },
      { ending: 'an uncaught exception', signal: 'SIGHUP', end: [1, null], crash: [{ _count: '1' }] },
    ] as const)('sends every record when it ends by $ending', async ({ signal, end, crash }) => {
      const { client, env } = await startService();
      if (name === 'nest-winston-auto') await runToEnd(name, 'build', env);
      const [url, run] = await serve(name, { ...env, NODE_OPTIONS: ON_SIGNAL });
      await callOrders(url);
      run.child.kill(signal);
      expect(await run.exit()).toEqual(end);

      expect(await client.query(`${text}="order read" | select([level, order.id])`)).toEqual([
        { level: 'info', 'order.id': 'o-1' },
      ]);
      const failures = await client.query(`level=error ${text}="no stock in oslo"`);
      expect(failures[0]?.[error]).toMatch(/^Error: no stock in oslo\n +at /);
      const printed = String(run.output.match(line)?.length);
      expect(await client.query('origin!=* message!=/^http:/ | count()')).toEqual([{ _count: printed }]);
      expect(await client.query(`message=${JSON.stringify(url)} level=info | count()`)).toEqual([
        { _count: '1' },
      ]);
      expect(await client.query('level=fatal error.message=crashed | count() | _count > 0')).toEqual(crash);
      expect(await client.query(`"${SECRET}" | count()`)).toEqual([{ _count: '0' }]);
    });
  });

  it('prometheus: metrics count delivered and waiting records', async () => {
    const { client, env } = await startService();
    const [url, run] = await serve('prometheus', env);
    expect(await (await fetch(`${url}/orders`)).text()).toBe('ok');
    await client.waitFor('msg="request received"', 1);
    await eventually(async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toContain('logclient_records_total{outcome="delivered"} 1\n');
      expect(metrics).toContain('logclient_records_total{outcome="overflow"} 0\n');
      expect(metrics).toContain('logclient_waiting_records 0\n');
    });
    expect(await run.stop()).toEqual([0, null]);
  });

  it('from-humio: output and query results are the same before and after the migration', async () => {
    const printed = 'searched\n3 events\no-2 no stock\nlive: no more orders\n';
    const query = 'service=orders | select([level, order.id, order.total, store, reason])';
    const found: unknown[] = [];
    for (const script of ['before', 'start']) {
      const { client, env } = await startService();
      const run = start('from-humio', script, env);
      // The package keeps its process alive for seconds, because it does not read responses.
      await eventually(() => expect(run.output).toBe(printed));
      found.push(inOrder(await client.query(query)));
    }
    expect(found[0]).toHaveLength(4);
    expect(found[1]).toEqual(found[0]);
  });

  it('from-pino-humio-transport: query results are the same before and after the migration', async () => {
    const query =
      'service=orders pid!=* session!=* | select([level, msg, store, order.id, order.total, err.type, err.message])';
    const found: unknown[] = [];
    for (const script of ['before', 'start']) {
      const { client, env } = await startService();
      const run = start('from-pino-humio-transport', script, env);
      // The old transport keeps its process alive for ten seconds.
      if (script === 'start') expect(await run.exit()).toEqual([0, null]);
      found.push(inOrder(await client.waitFor(query, 3)));
    }
    expect(found[0]).toMatchObject([{ level: 'error' }, { level: 'info' }, { level: 'warning' }]);
    expect(found[1]).toEqual(found[0]);
  });

  it('from-python: every call in the table of docs/migrating.md has a working replacement', async () => {
    const { env } = await startService();
    const output = await runToEnd('from-python', 'start', env);
    expect(output).not.toMatch(/undefined|false/);
    const shown = output.split('\n').map((line) => line.split(':')[0]);

    const page = await readFile(resolve(ROOT, 'docs/migrating.md'), 'utf8');
    const [, table = ''] = page.split('\n## From `humiolib` for Python\n');
    const rows = table.matchAll(/^\| (?:`(?!int)([a-z_]+)\(|(keyword arguments))/gm);
    const calls = [...rows].map(([, call, words]) => call ?? words);
    expect(calls).toContain('streaming_query');
    expect(calls.filter((call) => !shown.includes(call))).toEqual([]);
  });
});

/** Rows by level: records of one millisecond arrive in any order. */
function inOrder(rows: readonly LogEvent[]): LogEvent[] {
  return rows.toSorted((a, b) => String(a.level).localeCompare(String(b.level)));
}

describe('The recipe for NestJS', { timeout: 300_000 }, () => {
  it('runs with Nest 12, whose packages are ES modules, and nestjs-pino 5', async () => {
    const recipe = recipes.find(({ name }) => name === 'nestjs')!;
    const nest = Object.keys(recipe.packages).filter((name) => name.startsWith('@nestjs/'));
    const newer = Object.fromEntries(nest.map((name) => [name, '12.5.1']));
    const packages = { ...recipe.packages, ...newer, 'nestjs-pino': '5.2.1' };
    await using project = await RecipeProject.install([{ ...recipe, packages }]);
    const { client, env } = await startService();
    expect([await project.start('nestjs', 'build', env).exit()]).toEqual([[0, null]]);
    const run = project.start('nestjs', 'start', env);
    onTestFinished(() => void run.child.kill('SIGKILL'));
    await callOrders(
      await eventually(() => /http:\S+(?=\s)/.exec(run.output)?.[0] ?? expect.fail(run.output)),
    );
    await run.stop();
    expect(await client.query('reqId="r-1" order.id=* | select(msg)')).toEqual([{ msg: 'order read' }]);
    expect(await client.query('reqId="r-2" err.message=/^no stock/ | count()')).not.toEqual([
      { _count: '0' },
    ]);
    expect(await client.query(`"${SECRET}" | count()`)).toEqual([{ _count: '0' }]);
  });
});
