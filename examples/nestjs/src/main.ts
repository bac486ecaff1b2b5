// A NestJS service, compiled to CommonJS, that logs through nestjs-pino. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN;
// reads PORT.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Logger, LoggerErrorInterceptor } from 'nestjs-pino';
import { AppModule } from './app.module';

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { bufferLogs: true });
  app.useLogger(app.get(Logger));
  // Without this interceptor, the record of a failed request contains only the status code, not the error.
  app.useGlobalInterceptors(new LoggerErrorInterceptor());
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT ?? 3001));
  console.log(await app.getUrl());
}

void main();
