/** Result of one test case. */
export interface JunitCase<Failure> {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly name: string;
  /** Empty if the test case passed. */
  readonly failures: readonly Failure[];
}

type TextCase = JunitCase<{ readonly message: string; readonly text: string }>;

/** Test cases as JUnit XML, with a test suite per file. */
export function junitXml(cases: readonly TextCase[]): string {
  const byPath = new Map<string, TextCase[]>();
  for (const each of cases) byPath.set(each.path, [...(byPath.get(each.path) ?? []), each]);
  const suites = [...byPath].map(([path, own]) => {
    const failed = own.filter(({ failures }) => failures.length > 0).length;
    const texts = own.map(caseXml).join('');
    return `  <testsuite name="${xml(path)}" tests="${own.length}" failures="${failed}">\n${texts}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function caseXml({ path, line, name, failures }: TextCase): string {
  const open = `    <testcase classname="${xml(path)}" name="${xml(name)}" file="${xml(path)}" line="${line}"`;
  if (failures.length === 0) return `${open}/>\n`;
  const text = failures.map((failure) => failure.text).join('\n');
  return `${open}>\n      <failure message="${xml(failures[0]!.message)}">${xml(text)}</failure>\n    </testcase>\n`;
}

function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write them.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
