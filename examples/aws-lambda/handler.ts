// An AWS Lambda function. Its environment needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import { createPinoStream, flush } from 'logclient/pino';
import pino from 'pino';

// Created once, because an instance handles many invocations. Lambda's default timeout is three seconds, so during an
// outage, an invocation waits for at most one second. The next invocation sends the remaining records.
const logger = pino(
  { base: { function: process.env.AWS_LAMBDA_FUNCTION_NAME } },
  createPinoStream({ tags: { service: 'orders' }, closeTimeoutMs: 1_000 }),
);
let coldStart = true;

export async function handler(event: { order?: string }, context: { awsRequestId: string }) {
  const log = logger.child({ requestId: context.awsRequestId, coldStart });
  coldStart = false;
  try {
    if (event.order === undefined) throw new Error('an event needs an order');
    log.info({ order: event.order }, 'order read');
    return { statusCode: 200, body: JSON.stringify({ order: event.order }) };
  } catch (error) {
    log.error(error, 'invocation failed');
    return { statusCode: 400, body: 'Bad Request' };
  } finally {
    // Lambda freezes the process as soon as it receives the response.
    await flush(logger);
  }
}
