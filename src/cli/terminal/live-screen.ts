const CLEAR_BELOW = '\u001b[J';
const CLEAR_ALL = '\u001b[2J\u001b[H';
/** A line that is too long after all must not take two, or the cursor would not find back. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Makes the text that puts one picture in the place of the last, from where the cursor was at first. */
export class LiveScreen {
  #lines = 0;
  #size: ScreenSize | undefined;

  /**
   * @param status a line that always stays in sight, below the picture.
   * @param picture what does not fit is left out at its end.
   */
  draw(picture: string, status: string, size: ScreenSize): string {
    const all = picture.replace(/\n$/, '').split('\n');
    const room = Math.max(1, size.rows - 3);
    const shown = all.length <= room ? all : all.slice(0, room - 1);
    const left = all.length - shown.length;
    const lines = [...shown, ...(left > 0 ? [`… ${left} more lines`] : []), '', status];
    const start = this.#start(size);
    this.#lines = lines.length;
    this.#size = size;
    return `${NO_WRAP}${start}${lines.join('\n')}\n${WRAP}`;
  }

  #start({ columns, rows }: ScreenSize): string {
    if (this.#size === undefined) return '';
    // A terminal moves lines about when its size changes.
    if (this.#size.columns !== columns || this.#size.rows !== rows) return CLEAR_ALL;
    return `\r\u001b[${this.#lines}A${CLEAR_BELOW}`;
  }
}
