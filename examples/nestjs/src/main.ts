// A NestJS service, compiled to CommonJS, that logs through nestjs-pino. Run `npx logclient serve` and set what it
// prints: LOGSCALE_URL and LOGSCALE_INGEST_TOKEN. Takes PORT.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Logger, LoggerErrorInterceptor } from 'nestjs-pino';
import { AppModule } from './app.module';

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { bufferLogs: true });
  app.useLogger(app.get(Logger));
  // Without it, the record of a failed request tells of a status code in place of the error.
  app.useGlobalInterceptors(new LoggerErrorInterceptor());
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT ?? 3001));
  console.log(await app.getUrl());
}

void main();
