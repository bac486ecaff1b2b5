// A NestJS service that logs to stdout through nest-winston. `npm start` also sends its records. Reads PORT.
import 'reflect-metadata';
import { Controller, Get, Logger, Module, Param, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { utilities, WinstonModule } from 'nest-winston';
import winston from 'winston';

@Controller('orders')
class OrdersController {
  private readonly logger = new Logger(OrdersController.name);

  @Get(':id')
  read(@Param('id') id: string): { id: string } {
    this.logger.log({ message: 'order read', order: { id } });
    return { id };
  }

  @Post()
  place(@Query('store') store: string): never {
    throw new Error(`no stock in ${store}`);
  }
}

@Module({ controllers: [OrdersController] })
class AppModule {}

async function main(): Promise<void> {
  const { combine, timestamp } = winston.format;
  const format = combine(timestamp(), utilities.format.nestLike('orders'));
  const logger = WinstonModule.createLogger({ transports: [new winston.transports.Console({ format })] });
  const app = await NestFactory.create(AppModule, { logger });
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT ?? 3001));
  console.log(await app.getUrl());
}

void main();
