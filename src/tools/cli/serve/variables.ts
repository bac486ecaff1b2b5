/** Languages in which `--env` prints variables. */
export const ENV_FORMATS = ['dotenv', 'posix', 'powershell', 'fish'] as const;

export type EnvFormat = (typeof ENV_FORMATS)[number];

const LINES: Readonly<Record<EnvFormat, (name: string, value: string) => string>> = {
  dotenv: (name, value) => `${name}=${inDotenv(value)}`,
  posix: (name, value) => `export ${name}='${value.replaceAll("'", "'\\''")}'`,
  powershell: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
  fish: (name, value) => `set -gx ${name} '${value.replace(/[\\']/g, '\\$&')}'`,
};

/** Lines that set variables. */
export function variableLines(variables: Readonly<Record<string, string>>, format: EnvFormat): string[] {
  return Object.entries(variables).map(([name, value]) => LINES[format](name, value));
}

/** Backslashes are kept in single quotes and backticks, where dotenv and Node know no escapes. */
function inDotenv(value: string): string {
  if (/^[\w@%+=:,./~-]*$/.test(value)) return value;
  const quote = ["'", '`', '"'].find((each) => !value.includes(each)) ?? "'";
  return quote + value + quote;
}
