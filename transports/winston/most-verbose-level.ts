interface Leveled {
  readonly level?: string | undefined;
}

/** The most verbose level of these transports of a logger. Each can have its own, else it has that of the logger. */
export function mostVerboseLevel(
  { level, levels = {} }: Leveled & { readonly levels?: Readonly<Record<string, number>> | undefined },
  transports: readonly Leveled[],
): string | undefined {
  const numberOf = (name: string | undefined): number => levels[name ?? ''] ?? -1;
  const used = transports.map((transport) => transport.level ?? level);
  return used.reduce((most, each) => (numberOf(each) > numberOf(most) ? each : most), used[0] ?? level);
}
