// Checks the answers of a coding agent to the tasks in scripts/agent-tasks, without a model.
// Compare the number of right answers before and after a change of skills/logclient.
import { readFileSync } from 'node:fs';
import { TASKS } from './agent-tasks/check.mjs';

const USAGE = `Usage: npm run agent-tasks                   print the questions as JSON
       npm run agent-tasks -- answers.json  check the answers: { "count-errors": "level=error | count()", … }`;

const KINDS = {
  query: 'Answer with a query in the language of LogScale.',
  command: 'Answer with a line for bash. logclient is in the PATH.',
  program: 'Answer with a program: an ES module for Node.js. LOGSCALE_URL and the tokens are set.',
};

async function score(answers) {
  let right = 0;
  for (const { name, check } of TASKS) {
    const isRight = typeof answers[name] === 'string' && (await check(answers[name]));
    if (isRight) right++;
    process.stdout.write(`${isRight ? 'right' : 'wrong'}  ${name}\n`);
  }
  process.stdout.write(`${right} of ${TASKS.length} answers are right\n`);
}

const [file, ...others] = process.argv.slice(2);
if (others.length > 0 || file === '--help') process.stdout.write(`${USAGE}\n`);
else if (file !== undefined) await score(JSON.parse(readFileSync(file, 'utf8')));
else {
  const questions = TASKS.map(({ name, kind, question }) => [name, `${question} ${KINDS[kind]}`]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(questions), null, 2)}\n`);
}
