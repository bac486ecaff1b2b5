import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { describeInstalled, FreshProject } from '../fresh-project.ts';
import { callServer } from './served-app.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index + 1);

/** Logs when `/` is requested. */
const APP = `
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createPinoTransport, flush } from 'logclient/pino';
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';

const loggers: Record<string, () => (n: number) => void> = {
  createPinoTransport: () => {
    const logger = pino(createPinoTransport());
    return (n) => logger.info({ n }, 'hello');
  },
  'pino.transport': () => {
    const logger = pino(pino.transport({ target: 'logclient/pino' }));
    closing.push(() => flush(logger));
    return (n) => logger.info({ n }, 'hello');
  },
  winston: () => {
    const logger = winston.createLogger({ transports: [new LogTransport()] });
    return (n) => logger.info('hello', { n });
  },
};
const closing: (() => Promise<void>)[] = [];
const log = loggers[process.env.LOGGING ?? '']!();

@Controller()
class LogController {
  @Get()
  async log(): Promise<string> {
    for (let n = 1; n <= 10; n++) log(n);
    for (const flush of closing) await flush();
    return 'logged';
  }
}

@Module({ controllers: [LogController] })
class AppModule {}

void NestFactory.create(AppModule, { logger: false }).then((app) => app.listen(process.env.PORT ?? 0, '127.0.0.1'));`;

const SETTINGS = {
  compilerOptions: {
    module: 'commonjs',
    target: 'es2022',
    strict: true,
    esModuleInterop: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: true,
    outDir: 'dist',
  },
  include: ['src'],
};

/** The recipe of docs/platforms.md for an app whose packages are in the bundle. */
const BUNDLE = `
module.exports = (options) => ({
  ...options,
  externals: [
    ({ request }, done) =>
      /^(pino|logclient|@nestjs\\/microservices|@nestjs\\/websockets)(\\/|$)/.test(request)
        ? done(null, \`commonjs \${request}\`)
        : done(),
  ],
});`;

const NEST = ['cli@12.0.8', 'common@12.5.1', 'core@12.5.1', 'platform-express@12.5.1'];
const WEBPACK = ['webpack-node-externals@3.0.0', 'tsconfig-paths-webpack-plugin@4.2.0', 'ts-loader@9.6.2'];
const OTHERS = ['fork-ts-checker-webpack-plugin@9.2.0', 'rxjs@7.8.2', 'reflect-metadata@0.2.2'];

const project = await FreshProject.create(['pino', 'winston', 'typescript@5.9.3', '@types/node']);
afterAll(() => project.remove());

const install = (): Promise<void> =>
  project.install(...NEST.map((name) => `@nestjs/${name}`), 'webpack', ...WEBPACK, ...OTHERS);

await describeInstalled('NestJS', install, () => {
  beforeAll(async () => {
    await mkdir(join(project.path, 'src'));
    await project.write('src/main.ts', APP);
    await project.write('tsconfig.json', JSON.stringify(SETTINGS));
    await project.write('nest-cli.json', '{ "sourceRoot": "src", "compilerOptions": { "webpack": true } }');
  });

  it.each([
    ['packages outside the bundle, without settings', undefined],
    ['packages in the bundle, and externals', BUNDLE],
  ])('a webpack build with %s delivers all records', { timeout: 240_000 }, async (_, config) => {
    if (config !== undefined) await project.write('webpack.config.js', config);
    onTestFinished(() => rm(join(project.path, 'webpack.config.js'), { force: true }));
    const { code, stdout, stderr } = await project.build('npx', 'nest', 'build');
    expect(code, stdout + stderr).toBe(0);
    for (const logging of ['createPinoTransport', 'pino.transport', 'winston']) {
      const sink = await IngestSink.open();
      onTestFinished(() => sink.close());
      const service = [`LOGSCALE_URL=${sink.url}`, 'LOGSCALE_INGEST_TOKEN=token', `LOGGING=${logging}`];
      const run = await callServer(project, project.path, 'dist/main.js', service);
      expect(run).toMatchObject({ code: 0, stdout: 'logged\n', stderr: '' });
      expect([logging, ...sink.events.map(({ attributes }) => attributes.n)]).toEqual([logging, ...TEN]);
    }
  });
});
