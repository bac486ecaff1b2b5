/** Why a logger may log nothing: its level. `undefined` where that lets everything through. */
export function levelHint(logger: string, level: string, lowest: string): string | undefined {
  if (level === lowest) return undefined;
  const consequence = level === 'silent' ? 'so it logs nothing' : 'so it logs nothing below that';
  return `The captured ${logger} logger has the level "${level}", ${consequence}.`;
}
