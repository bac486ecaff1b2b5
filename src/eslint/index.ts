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

const rules = { 'valid-query': validQuery };
const plugin = { meta: { name: 'logclient' }, rules };

/** The plugin, with a configuration that turns its rule on. */
export default {
  ...plugin,
  configs: {
    recommended: { plugins: { logclient: plugin }, rules: { 'logclient/valid-query': 'error' as const } },
  },
};
