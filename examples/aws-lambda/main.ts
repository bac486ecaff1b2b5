// Runs the handler without Lambda: each line of stdin is an event, each line of stdout a response.
//   echo '{ "order": "o-17" }' | npm start
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { handler } from './handler.ts';

for await (const line of createInterface({ input: process.stdin })) {
  const response = await handler(JSON.parse(line), { awsRequestId: randomUUID() });
  console.log(JSON.stringify(response));
}
