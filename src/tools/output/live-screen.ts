const CLEAR_BELOW = '\u001b[J';
const CLEAR_ALL = '\u001b[2J\u001b[H';
/** A line that wraps would move the cursor. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';

type ScreenSize = Readonly<Record<'columns' | 'rows', number>>;

/** Replaces one picture by the next, with the cursor at its first position. */
export class LiveScreen {
  #lines = 0;
  #size: ScreenSize | undefined;

  /** @param status a line that is always visible, below the picture. @param picture is cut at the end if it doesn't fit. */
  draw(picture: string, status: string, size: ScreenSize): string {
    const all = picture.replace(/\n$/, '').split('\n');
    const room = Math.max(1, size.rows - 3);
    const shown = all.length <= room ? all : all.slice(0, room - 1);
    const left = all.length - shown.length;
    const lines = [...shown, ...(left > 0 ? [`… ${left} more lines`] : []), '', status];
    const { columns = size.columns, rows = size.rows } = this.#size ?? {};
    // Terminals reflow lines when their size changes.
    const isResized = columns !== size.columns || rows !== size.rows;
    const back = this.#size === undefined ? '' : `\r\u001b[${this.#lines}A${CLEAR_BELOW}`;
    this.#lines = lines.length;
    this.#size = size;
    return `${NO_WRAP}${isResized ? CLEAR_ALL : back}${lines.join('\n')}\n${WRAP}`;
  }
}
