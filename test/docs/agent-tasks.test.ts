import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lawCases } from '../helpers/laws.ts';

interface Task {
  readonly name: string;
  readonly kind: string;
  readonly question: string;
  readonly answer: string;
  readonly wrong: readonly string[];
  check(answer: string): Promise<boolean>;
}

const FILE = join(import.meta.dirname, '../../scripts/agent-tasks/check.mjs');
const { TASKS } = (await import(FILE)) as { TASKS: readonly Task[] };

/** All queries, and a few of the others, each of which starts a process or two. */
function affordable<Row extends Pick<Task, 'kind'>>(tasks: readonly Row[], few: number): readonly Row[] {
  const queries = tasks.filter(({ kind }) => kind === 'query');
  const others = tasks.filter(({ kind }) => kind !== 'query');
  return [...queries, ...lawCases(others, few)];
}

describe('The tasks for coding agents', { timeout: 120_000 }, () => {
  it('are 40 questions with different names, each with a wrong answer', () => {
    expect(new Set(TASKS.map(({ name }) => name)).size).toBe(40);
    expect(TASKS.filter(({ question, wrong }) => question.length < 20 || wrong.length === 0)).toEqual([]);
  });

  it.each(affordable(TASKS, 5))('accept the right answer: $name', async ({ check, answer }) => {
    expect(await check(answer)).toBe(true);
  });

  const wrong = TASKS.flatMap((task) => task.wrong.map((answer) => ({ ...task, answer })));
  it.each(affordable(wrong, 4))('refuse a wrong answer: $name', async ({ check, answer }) => {
    expect(await check(answer)).toBe(false);
  });
});
