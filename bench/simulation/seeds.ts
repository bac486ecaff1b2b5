import { planOf } from './plan.ts';
import { describePlan, shrink } from './shrink.ts';
import { runPlan } from './simulation.ts';

export interface Failure {
  readonly seed: number;
  readonly law: string;
  readonly message: string;
}

/** Runs one seed. @returns undefined if no law is broken. */
export async function runSeed(seed: number): Promise<Failure | undefined> {
  const { violation } = await runPlan(planOf(seed));
  return violation && { seed, ...violation };
}

/** The shortened history of a failure, for people. */
export async function explainSeed(seed: number): Promise<string> {
  const { plan, result } = await shrink(planOf(seed));
  const { violation, history } = result;
  if (violation === undefined) return `Seed ${seed}: no law is broken.`;
  return [
    `Seed ${seed}: ${violation.law}: ${violation.message}`,
    describePlan(plan),
    ...history,
    `Replay it with: npm run simulate -- --seed ${seed}`,
  ].join('\n');
}
