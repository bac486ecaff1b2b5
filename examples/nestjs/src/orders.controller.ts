import { Controller, Get, Logger, type OnApplicationShutdown, Param, Post, Query } from '@nestjs/common';

@Controller('orders')
export class OrdersController implements OnApplicationShutdown {
  // Nest's own logger writes to pino and adds the current request's `reqId`.
  private readonly logger = new Logger(OrdersController.name);

  @Get(':id')
  read(@Param('id') id: string): { id: string } {
    this.logger.log({ order: { id } }, 'order read');
    return { id };
  }

  @Post()
  place(@Query('store') store: string): never {
    throw new Error('no stock', { cause: new Error(`store ${store} is closed`) });
  }

  onApplicationShutdown(): void {
    this.logger.log('closed');
  }
}
