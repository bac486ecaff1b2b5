import pc from 'picocolors';

/** The flags of `logclient serve` that the banner mentions. */
export interface BannerFlags {
  readonly host: string;
  readonly dataDir?: string;
}

export function row(name: string, value: string): string {
  return `  ${pc.dim(name.padEnd(13))}  ${value}`;
}

/** The lines about data and access that every banner has. */
export function commonRows({ host, dataDir }: BannerFlags): string[] {
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
  return [
    row('data', dataDir ?? 'in memory only; pass --data-dir <path> to keep it'),
    ...(isLoopback
      ? []
      : [`  ${pc.yellow('Other computers can reach this server. Only its tokens protect it.')}`]),
  ];
}

/** Quotes a string for JavaScript; custom tokens may contain quotes. */
export function inScript(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

export function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
