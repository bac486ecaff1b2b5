import { CLI_FILE } from '../helpers/cli-process.ts';

/** A block of code in a Markdown page. */
export interface Block {
  /** The heading above it. */
  readonly title: string;
  readonly language: string;
  readonly text: string;
  /** The output in the next block, if that is `text`. Numbers may differ; `…` matches anything. */
  readonly output: string | undefined;
}

export function blocksOf(markdown: string): Block[] {
  let title = '';
  const found: { title: string; language: string; text: string; output: string | undefined }[] = [];
  for (const [, heading, language, text = ''] of markdown.matchAll(
    /^#+ (.+)$|^```(\w*)\n([\s\S]*?)^```$/gm,
  )) {
    if (heading !== undefined) title = heading;
    else found.push({ title, language: language!, text, output: undefined });
  }
  for (const [index, { language, text }] of found.entries()) {
    const program = found[index - 1];
    if (language === 'text' && program !== undefined) program.output = text;
  }
  return found;
}

/** Matches the output in a block, also with other numbers and other spaces next to them. */
export function outputPattern(output: string): RegExp {
  const escaped = output.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const numbers = escaped.replace(/ *\d+/g, (digits) => (digits.startsWith(' ') ? ' +\\d+' : '\\d+'));
  return new RegExp(`^${numbers.replaceAll('…', '[\\s\\S]*?')}$`);
}

/** A program that runs shell lines, with the built command as `npx logclient`. */
export function sessionOf(lines: string): string {
  const script = lines.replaceAll('npx logclient', `'${process.execPath}' '${CLI_FILE}'`);
  const options = JSON.stringify({ shell: '/bin/sh', stdio: 'inherit' });
  return `import { execSync } from 'node:child_process';\nexecSync(${JSON.stringify(script)}, ${options});\n`;
}

/** The text of a page above the line that says how the rest is generated. */
export function withoutGeneratedPart(markdown: string): string {
  return markdown.replace(/^<!-- Below: .*-->$[\s\S]*/m, '');
}

/** Replaces code blocks with empty lines. */
export function withoutCodeBlocks(markdown: string): string {
  return markdown.replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/.+/g, ''));
}
