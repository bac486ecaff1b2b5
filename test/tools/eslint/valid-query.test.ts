// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources of programs
import { ESLint, RuleTester } from 'eslint';
import { describe, expect, it } from 'vitest';
import plugin from '../../../src/tools/eslint/index.ts';

RuleTester.describe = describe;
RuleTester.it = it;

new RuleTester().run('valid-query', plugin.rules['valid-query'] as never, {
  valid: [
    'lql`level = ${level} status >= ${status} | groupBy(${field}, limit=${n})`;',
    'lql`count() | ${filter} | whatever=1`;',
    'other`cuont()`;',
    'lql.raw("cuont()");',
    'lql`groupBy(host) | host=${host}`;',
    { code: 'lql`${before} | groupBy(host) | host=a*`;', options: [{ minSeverity: 'info' }] },
  ],
  invalid: [
    {
      code: 'lql`level=${{ a: 1 }.a} | cuont()`;',
      output: null,
      errors: [
        {
          suggestions: [{ desc: 'Write count', output: 'lql`level=${{ a: 1 }.a} | count()`;' }],
          message: 'There is no function "cuont". Did you mean "count"?',
          line: 1,
          column: 27,
          endLine: 1,
          endColumn: 32,
        },
      ],
    },
    {
      code: 'lql`\n  status=500\n  | stats count by host\n`;',
      output: 'lql`\n  status=500\n  | host=* | groupBy(host, function=count())\n`;',
      errors: [
        {
          message: '"stats count by host" is SPL. Write host=* | groupBy(host, function=count()) instead.',
          line: 3,
          column: 5,
        },
      ],
    },
    {
      code: 'lql`a="\\`" | limit 5`;',
      output: null,
      errors: [{ message: '"limit 5" is SQL. Write tail(5) instead.' }],
    },
    {
      code: 'lql`error | groupBy(host) | host=a*`;',
      output: null,
      options: [{ minSeverity: 'info' }],
      errors: [
        {
          message: /could come first|Put it before/,
          line: 1,
          column: 29,
          suggestions: [
            { desc: 'Write host=a* | groupBy(host)', output: 'lql`error | host=a* | groupBy(host)`;' },
          ],
        },
      ],
    },
  ],
});

describe('Recommended configuration', () => {
  const eslint = new ESLint({
    overrideConfigFile: true,
    overrideConfig: [plugin.configs.recommended as never],
    fix: true,
  });

  it('fixes a query that can not be parsed, and only suggests changes to others', async () => {
    const [other] = await eslint.lintText('export const q = lql`level=error && cuont()`;');
    expect(other).not.toHaveProperty('output');
    const [result] = await eslint.lintText('export const q = lql`level==error | count`;');
    expect(result).toMatchObject({
      output: 'export const q = lql`level=error | count()`;',
      messages: [],
    });
  });

  it('reports an invalid query without a fix as an error', async () => {
    const [result] = await eslint.lintText('export const q = lql`count() | error`;');
    expect(result?.messages).toMatchObject([{ ruleId: 'logclient/valid-query', severity: 2 }]);
  });

  it('rejects unknown options', async () => {
    const wrong = new ESLint({
      overrideConfigFile: true,
      overrideConfig: [
        plugin.configs.recommended as never,
        { rules: { 'logclient/valid-query': ['error', { min: 'info' }] } },
      ],
    });
    await expect(wrong.lintText('1;')).rejects.toThrow(/min/);
  });
});
