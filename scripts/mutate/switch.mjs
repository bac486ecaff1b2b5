// Which mutation is active, and which test file runs, are entries of PATH: every program that a test starts inherits it,
// with its threads, even if the test gives it an environment of its own.

/** Switches on a mutation. `run` marks the processes, so that the survivors of a run can be found. */
export const activeEntry = (id, run) => `/mutant/${id}/${run}`;

/** Lets programs append the ids of mutations that they reach to a file. */
export const recordEntry = (file) => `/mutant-record/${Buffer.from(file).toString('hex')}`;

/** Why a test file is skipped. */
export const FAILED_BEFORE = 'Another test has noticed the mutation.';

/** The start of every file with mutations; also correct in a browser, and if Node's modules are mocked. */
export const HEADER = `// @ts-nocheck
globalThis.mutation ??= (${newMutation})();
function stryMutAct_9fa48(id) { return globalThis.mutation.active === id; }
function stryCov_9fa48(...ids) { if (globalThis.mutation.record) globalThis.mutation.cover(ids); }
`;

function newMutation() {
  const path = globalThis.process?.env?.PATH ?? '';
  const hex = /\/mutant-record\/(\w+)/.exec(path)?.[1];
  const covered = new Set();
  return {
    active: /\/mutant\/(\w+)/.exec(path)?.[1],
    record: hex && Buffer.from(hex, 'hex').toString(),
    cover(ids) {
      const fresh = ids.map((id) => `${this.record}\n${id}`).filter((key) => !covered.has(key));
      if (fresh.length === 0) return;
      for (const key of fresh) covered.add(key);
      const lines = fresh.map((key) => `${key.split('\n')[1]}\n`).join('');
      globalThis.process.getBuiltinModule('node:fs').appendFileSync(this.record, lines);
    },
  };
}
