import { afterAll, afterEach, beforeAll } from 'vitest';

/** Warnings about features of Node, which its next version may add or remove, and those of services and local servers. */
const INTENDED: readonly string[] = [
  'ExperimentalWarning',
  'DeprecationWarning',
  'LogclientLocalServerWarning',
  'LogclientQueryWarning',
];

// Tests replace the timers.
const { setImmediate } = globalThis;

const warnings: Error[] = [];

function note(warning: Error): void {
  if (!INTENDED.includes(warning.name)) warnings.push(warning);
}

beforeAll(() => void process.on('warning', note));
afterAll(() => void process.off('warning', note));

// A leak of listeners, a delay that Node turns into 1 ms: nothing else notices them, and users see them on stderr.
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve)); // Warnings are emitted in the next turn.
  const stacks = warnings.splice(0).map(({ stack }) => stack);
  if (stacks.length > 0) throw new Error(`The test caused a process warning.\n${stacks.join('\n')}`);
});
