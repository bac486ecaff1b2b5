import { Console } from 'node:console';
import lambdaLog from 'lambda-log';
import { createPinoStream } from 'logclient/pino';

const stream = createPinoStream();
export const log = new lambdaLog.LambdaLog({
  levelKey: 'level',
  logHandler: new Console({ stdout: stream, stderr: stream }),
});

log.info('order placed', { orderId: 7 });
