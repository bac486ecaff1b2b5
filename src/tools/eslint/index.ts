/**
 * `logclient/eslint`: an ESLint plugin that checks the queries in `` lql`…` `` templates.
 *
 * ```js
 * import logclient from 'logclient/eslint';
 * export default [logclient.configs.recommended];
 * ```
 */
import { validQuery } from './valid-query.ts';

export type { Rule, RuleContext } from './rule.ts';
export type { ValidQueryOptions } from './valid-query.ts';

export const meta = { name: 'logclient' };
export const rules = { 'valid-query': validQuery };
export const configs = {
  /** Turns the rule on. */
  recommended: {
    plugins: { logclient: { meta, rules } },
    rules: { 'logclient/valid-query': 'error' as const },
  },
};

/** The plugin. `require('logclient/eslint')` has the same members. */
export default { meta, rules, configs };
