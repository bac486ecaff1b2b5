const ESCAPE = '\u001b';
const COLUMN = 8.4;
const LINE = 18;
const FONT_SIZE = 14;
const MARGIN = 16;
const BASELINE = 13.5;
const FULL_BLOCK = 0x2588;

/** Colors of GitHub's terminal themes. */
const THEMES = {
  dark: {
    background: '#0d1117',
    text: '#e6edf3',
    dim: '#7d8590',
    red: '#ff7b72',
    green: '#3fb950',
    yellow: '#d29922',
    blue: '#58a6ff',
    magenta: '#bc8cff',
    cyan: '#39c5cf',
    blueBright: '#79c0ff',
    magentaBright: '#d2a8ff',
    cyanBright: '#56d4dd',
  },
  light: {
    background: '#ffffff',
    text: '#1f2328',
    dim: '#656d76',
    red: '#cf222e',
    green: '#1a7f37',
    yellow: '#9a6700',
    blue: '#0969da',
    magenta: '#8250df',
    cyan: '#1b7c83',
    blueBright: '#218bff',
    magentaBright: '#a475f9',
    cyanBright: '#3192aa',
  },
} as const;

export type Theme = keyof typeof THEMES;

const COLORS = {
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  39: 'text',
  94: 'blueBright',
  95: 'magentaBright',
  96: 'cyanBright',
} as const;

/** SGR sequences, and the text between them. */
const SEQUENCES = new RegExp(`${ESCAPE}\\[([\\d;]*)m|[^${ESCAPE}]+`, 'g');

interface Style {
  readonly color: keyof (typeof THEMES)['dark'];
  readonly isBold: boolean;
  readonly isDim: boolean;
}

const PLAIN: Style = { color: 'text', isBold: false, isDim: false };

/** Renders the terminal output of a program, including its colors (SGR sequences), as an SVG picture. */
export function terminalSvg(text: string, { columns, theme }: { columns: number; theme: Theme }): string {
  const lines = text.trimEnd().split('\n');
  const title = lines[0]!.replace(SEQUENCES, (part, codes) => (codes === undefined ? part : ''));
  const width = Math.ceil(columns * COLUMN + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const { background, dim, text: foreground } = THEMES[theme];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}" fill="${foreground}">
<title>${escaped(title)}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${background}" stroke="${dim}" stroke-opacity="0.4"/>
<g shape-rendering="crispEdges">
${lines.map((line, row) => lineSvg(line, row, theme)).join('\n')}
</g>
</svg>
`;
}

function lineSvg(line: string, row: number, theme: Theme): string {
  let style = PLAIN;
  let column = 0;
  const parts: string[] = [];
  for (const [part, codes] of line.matchAll(SEQUENCES)) {
    if (codes !== undefined) style = codes.split(';').reduce(restyled, style);
    else {
      parts.push(partsSvg(part, { column, row, theme, style }));
      column += [...part].length;
    }
  }
  return parts.join('');
}

/** Applies the codes that picocolors writes. */
function restyled(style: Style, code: string): Style {
  const number = Number(code);
  if (number === 0) return PLAIN;
  if (number === 1) return { ...style, isBold: true };
  if (number === 2) return { ...style, isDim: true };
  if (number === 22) return { ...style, isBold: false, isDim: false };
  return { ...style, color: COLORS[number as keyof typeof COLORS] };
}

interface Place {
  readonly column: number;
  readonly row: number;
  readonly theme: Theme;
  readonly style: Style;
}

/** Blocks and words separated by single spaces, each at its column: any font keeps the layout. */
function partsSvg(text: string, { column, row, theme, style }: Place): string {
  const color = THEMES[theme][style.isDim ? 'dim' : style.color];
  const look = `${color === THEMES[theme].text ? '' : ` fill="${color}"`}${style.isBold ? ' font-weight="bold"' : ''}`;
  return [...text.matchAll(/([▁-▏])\1*|[^\s▁-▏]+(?: [^\s▁-▏]+)*/g)]
    .map(({ 0: part, 1: block, index }) => {
      const x = MARGIN + (column + index) * COLUMN;
      const y = MARGIN + row * LINE;
      return block === undefined
        ? `<text x="${fixed(x)}" y="${fixed(y + BASELINE)}" textLength="${fixed(part.length * COLUMN)}"${look}>${escaped(part)}</text>`
        : `<rect ${blockArea(block, x, y, part.length)}${look}/>`;
    })
    .join('');
}

/** ▁ to █ fill a cell from below, ▉ to ▏ from the left, in eighths. */
function blockArea(block: string, x: number, y: number, cells: number): string {
  const code = block.codePointAt(0)!;
  const high = code <= FULL_BLOCK ? (code - FULL_BLOCK + 8) / 8 : 1;
  const wide = code <= FULL_BLOCK ? cells : (FULL_BLOCK + 8 - code) / 8;
  const top = y + LINE * (1 - high);
  return `x="${fixed(x)}" y="${fixed(top)}" width="${fixed(wide * COLUMN)}" height="${fixed(high * LINE)}"`;
}

function fixed(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
