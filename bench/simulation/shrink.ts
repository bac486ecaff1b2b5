import type { Plan, Step } from './plan.ts';
import { type RunResult, runPlan } from './simulation.ts';

/** More attempts rarely make a plan shorter. */
const MAX_ATTEMPTS = 1_000;

/** The shortest plan that was found to break the same law, and its run. */
export async function shrink(plan: Plan): Promise<{ plan: Plan; result: RunResult }> {
  let shortest = plan;
  const law = (await runPlan(plan)).violation?.law;
  let attempts = 0;
  for (let hasShrunk = true; hasShrunk && attempts < MAX_ATTEMPTS; ) {
    hasShrunk = false;
    for (const shorter of shorterPlans(shortest)) {
      attempts++;
      if ((await runPlan(shorter)).violation?.law !== law) continue;
      shortest = shorter;
      hasShrunk = true;
      break;
    }
  }
  return { plan: shortest, result: await runPlan(shortest, true) };
}

/** Plans with one thing less, the largest first. */
function* shorterPlans(plan: Plan): Generator<Plan> {
  const { programs, service, options } = plan;
  for (const index of programs.keys()) {
    if (programs.length > 1) yield { ...plan, programs: programs.toSpliced(index, 1) };
  }
  for (const [index, { steps }] of programs.entries()) {
    const withSteps = (changed: Step[]): Plan => ({
      ...plan,
      programs: programs.with(index, { steps: changed }),
    });
    for (const at of steps.keys()) yield withSteps(steps.toSpliced(at, 1));
    for (const [at, step] of steps.entries()) {
      for (const shorter of shorterSteps(step)) yield withSteps(steps.with(at, shorter));
    }
  }
  for (const index of service.troubles.keys()) {
    yield { ...plan, service: { ...service, troubles: service.troubles.toSpliced(index, 1) } };
  }
  for (const index of plan.diskTroubles.keys()) {
    yield { ...plan, diskTroubles: plan.diskTroubles.toSpliced(index, 1) };
  }
  const simple = { latencyMs: 10, msPerRecord: 0, msPerKilobyte: 0, maxBytes: Number.POSITIVE_INFINITY };
  for (const [name, value] of Object.entries(simple)) {
    if (service[name as keyof typeof simple] !== value)
      yield { ...plan, service: { ...service, [name]: value } };
  }
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) yield { ...plan, options: { ...options, [name]: undefined } };
  }
}

function* shorterSteps(step: Step): Generator<Step> {
  if (step.kind === 'end' && step.lastRecords > 0) yield { ...step, lastRecords: 0 };
  if (step.kind !== 'write') return;
  if (step.records > 1) {
    yield { ...step, records: Math.floor(step.records / 2) };
    yield { ...step, records: step.records - 1 };
  }
  if (step.everyMs > 0) yield { ...step, everyMs: 0 };
  if (step.answer !== 'ok') yield { ...step, answer: 'ok' };
  if (step.answerEvery !== undefined) yield { ...step, answerEvery: undefined };
}

/** A plan as text, without defaults. */
export function describePlan({ options, service, diskTroubles, programs }: Plan): string {
  const lines = [`options ${JSON.stringify(options)}`, `service ${JSON.stringify(service)}`];
  if (diskTroubles.length > 0) lines.push(`disk ${JSON.stringify(diskTroubles)}`);
  for (const [index, { steps }] of programs.entries()) {
    lines.push(`program ${index}`, ...steps.map((step) => `  ${JSON.stringify(step)}`));
  }
  return lines.join('\n');
}
