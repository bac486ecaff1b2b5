const PREFIX = 'logclient-export-';
/** Files of exports that are certainly saved. */
const OLD_MS = 3_600_000;

/** Keeps text in the private files of the page, because browsers limit the bytes of blobs; as blobs where there are none. */
export class TextParts {
  readonly #folder: FileSystemDirectoryHandle | undefined;
  #count = 0;

  private constructor(folder: FileSystemDirectoryHandle | undefined) {
    this.#folder = folder;
  }

  static async open(): Promise<TextParts> {
    try {
      const root = await navigator.storage.getDirectory();
      const name = `${PREFIX}${Date.now()}`;
      const folder = await root.getDirectoryHandle(name, { create: true });
      for await (const other of root.keys()) {
        const isOld = other.startsWith(PREFIX) && Number(other.slice(PREFIX.length)) < Date.now() - OLD_MS;
        if (isOld) await root.removeEntry(other, { recursive: true });
      }
      return new TextParts(folder);
    } catch {
      return new TextParts(undefined);
    }
  }

  async add(text: string): Promise<Blob> {
    if (this.#folder === undefined) return new Blob([text]);
    const handle = await this.#folder.getFileHandle(String(this.#count++), { create: true });
    const writable = await handle.createWritable();
    await writable.write(text);
    await writable.close();
    return handle.getFile();
  }
}
