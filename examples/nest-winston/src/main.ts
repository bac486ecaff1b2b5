// A NestJS service that logs through nest-winston. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN; reads PORT.
import 'reflect-metadata';
import {
  Controller,
  Get,
  Logger,
  Module,
  type OnApplicationShutdown,
  Param,
  Post,
  Query,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { LogTransport } from 'logclient/winston';
import { WinstonModule } from 'nest-winston';

@Controller('orders')
class OrdersController implements OnApplicationShutdown {
  private readonly logger = new Logger(OrdersController.name);

  @Get(':id')
  read(@Param('id') id: string): { id: string } {
    // All properties except `message` become fields.
    this.logger.log({ message: 'order read', order: { id } });
    return { id };
  }

  // Nest logs the error, with its stack in `stack[0]`.
  @Post()
  place(@Query('store') store: string): never {
    throw new Error(`no stock in ${store}`);
  }

  onApplicationShutdown(): void {
    this.logger.log('closed');
  }
}

@Module({ controllers: [OrdersController] })
class AppModule {}

async function main(): Promise<void> {
  // Nest sends the signal again after its shutdown hooks. Queued records are delivered before the exit.
  const transport = new LogTransport({ tags: { service: 'orders' } });
  const logger = WinstonModule.createLogger({ transports: [transport] });
  const app = await NestFactory.create(AppModule, { logger });
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT ?? 3001));
  console.log(await app.getUrl());
}

void main();
