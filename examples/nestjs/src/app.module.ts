import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { createPinoTransport } from 'logclient/pino';
import { LoggerModule } from 'nestjs-pino';
import { OrdersController } from './orders.controller';

/**
 * Nest sends the signal again after its shutdown hooks: queued records are delivered before the exit.
 * nestjs-pino logs all headers: redact replaces the secret ones.
 */
const stream = createPinoTransport({ redact: true, tags: { service: 'orders' } });

@Module({
  imports: [
    LoggerModule.forRoot({
      pinoHttp: {
        stream,
        // Every record logged during a request has the request ID as `reqId`: the caller's ID, or a new one.
        genReqId: (request) => request.headers['x-request-id'] ?? randomUUID(),
        quietReqLogger: true,
        customLogLevel: (_, response, error) => {
          if (error || response.statusCode >= 500) return 'error';
          return response.statusCode >= 400 ? 'warn' : 'info';
        },
      },
    }),
  ],
  controllers: [OrdersController],
})
export class AppModule {}
