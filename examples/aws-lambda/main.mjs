// Stands in for Lambda: each line of stdin is an event, each line of stdout an answer.
//   echo '{ "order": "o-17" }' | npm start
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { handler } from './handler.mjs';

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await handler(JSON.parse(line), { awsRequestId: randomUUID() });
  console.log(JSON.stringify(answer));
}
