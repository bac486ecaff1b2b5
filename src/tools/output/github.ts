import type { FileProblem } from './sarif.ts';

/** Problems as annotations of a GitHub workflow. */
export function annotations(problems: readonly FileProblem[]): string {
  const texts = problems.map(({ path: file, level, title, message, region }) => {
    const { startLine: line, startColumn: col, ...ends } = region;
    const place = { file, line, ...(col !== undefined && { col }), ...ends, title };
    const properties = Object.entries(place).map(([name, value]) => `${name}=${property(`${value}`)}`);
    return `::${level === 'note' ? 'notice' : level} ${properties.join(',')}::${escaped(message)}\n`;
  });
  return texts.join('');
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
