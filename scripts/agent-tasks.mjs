// Checks the answers of a coding agent to the tasks in scripts/agent-tasks, without a model.
// Compare the number of right answers before and after a change of skills/logclient.
import { readFileSync } from 'node:fs';
import { TASKS } from './agent-tasks/check.mjs';
import { LOG } from './agent-tasks/events.mjs';

const USAGE = `Usage: npm run agent-tasks                   print the questions as JSON
       npm run agent-tasks -- --log         print the log that the queries are about
       npm run agent-tasks -- answers.json  check the answers: { "count-errors": "level=error | count()", … }
`;

const KINDS = {
  query: 'Answer with a query in the language of LogScale, for the log that --log prints.',
  command: 'Answer with a line for bash. logclient is in the PATH.',
  program:
    'Answer with JavaScript for Node.js, as an ES module if it is a whole program. LOGSCALE_URL and the tokens are set.',
};

const print = (text) => process.stdout.write(text);

async function score(answers) {
  let right = 0;
  for (const { name, check } of TASKS) {
    const isRight = typeof answers[name] === 'string' && (await check(answers[name]));
    if (isRight) right++;
    print(`${isRight ? 'right' : 'wrong'}  ${name}\n`);
  }
  print(`${right} of ${TASKS.length} answers are right\n`);
}

function readAnswers(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    process.stderr.write(`${file} is not a file with answers as JSON. ${error.message}\n`);
    process.exit(1);
  }
}

const [argument, ...others] = process.argv.slice(2);
if (argument === undefined) {
  const questions = TASKS.map(({ name, kind, question }) => [name, `${question} ${KINDS[kind]}`]);
  print(`${JSON.stringify(Object.fromEntries(questions), null, 2)}\n`);
} else if (argument === '--log') print(LOG.join(''));
else if (argument.startsWith('-') || others.length > 0) print(USAGE);
else await score(readAnswers(argument));
