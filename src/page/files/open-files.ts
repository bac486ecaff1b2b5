import { signal } from '@preact/signals';
import { LogHTTPException } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import { explanationOf } from '../api/http.ts';
import { count } from '../records/compact.ts';
import { http, repositories, search, token, update } from '../state/page-state.ts';
import { store, stored } from '../state/preferences.ts';
import { readKept } from '../state/read-kept.ts';
import { INITIAL_STATE } from '../state/search-state.ts';
import { isMissingApi, isPlayground, reportName, serviceUrl } from '../state/service.ts';

const PATH = 'temporary-repositories';
const KEY = 'logclient.files';

export interface FileNotice {
  readonly text: string;
  /** Sent share of the file, from 0 to 1; `undefined` once it is sent. */
  readonly share?: number;
  readonly isFailure?: boolean;
}

/** Message about the last opened file. */
export const fileNotice = signal<FileNotice | undefined>(undefined);

let reading = new AbortController();

/** Names of the repositories that this tab opened for files, which a reload keeps. */
export function openedFiles(): readonly string[] {
  return readKept(stored(KEY, 'sessionStorage'), []);
}

/** Stops reading, or hides the message. */
export function dismissFile(): void {
  reading.abort();
  fileNotice.value = undefined;
}

/** Opens files in a new repository, which the server deletes when this tab is closed. */
export async function openFiles(files: readonly File[]): Promise<void> {
  dismissFile();
  const [first] = files;
  if (first === undefined) return;
  reading = new AbortController();
  const { signal } = reading;
  try {
    const name = await send(files, files.length === 1 ? first.name : 'files', signal);
    const { timeZone, order } = search.value;
    repositories.value = [...(repositories.value ?? []), { name, isView: false }];
    const opened = { repository: name, files: files.map((file) => file.name), start: 'all', isLive: false };
    update({ ...INITIAL_STATE, timeZone, order, ...opened });
  } catch (error) {
    const text = isMissingApi(error) ? ONLY_LOCAL : explanationOf(error);
    if (!signal.aborted) fileNotice.value = { text, isFailure: true };
  }
}

const ONLY_LOCAL =
  'Files are opened by a local server, and never sent to a service. Run: logclient view app.log';

interface FileFacts {
  readonly lines: number;
  readonly withoutTime: number;
  readonly evicted: number;
}

/** @returns the name of the repository */
async function send(files: readonly File[], fileName: string, signal: AbortSignal): Promise<string> {
  if (serviceUrl !== undefined || reportName !== undefined) throw new Error(ONLY_LOCAL);
  const response = await http.callRest('POST', PATH, { data: { fileName }, signal });
  const { name } = await response.json<{ name: string }>();
  store(KEY, JSON.stringify([...openedFiles(), name]), 'sessionStorage');
  const total = { lines: 0, withoutTime: 0, evicted: 0 };
  for (const file of files) {
    const tag = files.length === 1 ? '' : `&file=${encodeURIComponent(file.name)}`;
    const endpoint = `${path`temporary-repositories/${name}/lines`}?modified=${file.lastModified}${tag}`;
    const facts = await upload(endpoint, file, signal);
    total.lines += facts.lines;
    total.withoutTime += facts.withoutTime;
    total.evicted = facts.evicted;
  }
  fileNotice.value = { text: summary(fileName, total) };
  return name;
}

function summary(fileName: string, { lines, withoutTime, evicted }: FileFacts): string {
  const without = withoutTime === 0 ? '' : `, ${count(withoutTime)} without a time`;
  const rest = evicted === 0 ? '' : ` The oldest ${count(evicted)} don't fit in memory.`;
  return `${fileName}: ${count(lines)} ${lines === 1 ? 'line' : 'lines'}${without}.${rest} The file is forgotten when this tab is closed${isPlayground ? '' : ', or after ten minutes without use'}.`;
}

function addressOf(endpoint: string): string {
  return `${http.baseUrl}api/v1/${endpoint}`;
}

function uploadFailure(status: number, response: string, fileName: string): LogHTTPException {
  return new LogHTTPException(`${fileName}: ${response}`, { code: 'LOG_ERROR', statusCode: status });
}

/** Sends a file, and shows how much of it was read. */
async function upload(endpoint: string, file: File, signal: AbortSignal): Promise<FileFacts> {
  const onProgress = (bytes: number): void => {
    const share = file.size === 0 ? 1 : bytes / file.size;
    fileNotice.value = { text: `Reading ${file.name}… ${Math.floor(100 * share)}%`, share };
  };
  if (!isPlayground) return uploadTo(endpoint, file, signal, onProgress);
  const init = { method: 'POST', body: file, signal, onProgress };
  const response = await fetch(addressOf(endpoint), init);
  if (response.ok) return response.json();
  throw uploadFailure(response.status, await response.text(), file.name);
}

/** Unlike `fetch`, this reports progress. */
function uploadTo(
  endpoint: string,
  file: File,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<FileFacts> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressOf(endpoint));
    request.setRequestHeader('authorization', `Bearer ${token.value}`);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => {
      if (request.status === 200) resolve(JSON.parse(request.response));
      else reject(uploadFailure(request.status, request.response, file.name));
    };
    request.onerror = () =>
      reject(new Error(`${file.name} can't be read, or the server is gone. Folders can't be opened.`));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

/** Accepts files dropped anywhere on the page. */
export function startFileDrops(): void {
  const root = document.documentElement;
  const onFiles = (type: 'dragover' | 'dragleave' | 'drop', action: (event: DragEvent) => void): void =>
    addEventListener(
      type,
      (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        // Otherwise, the editor would insert the text of the file.
        event.preventDefault();
        event.stopPropagation();
        action(event);
      },
      { capture: true },
    );
  onFiles('dragover', () => root.setAttribute('data-drop', ''));
  onFiles('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) root.removeAttribute('data-drop');
  });
  onFiles('drop', ({ dataTransfer }) => {
    root.removeAttribute('data-drop');
    void openFiles([...(dataTransfer?.files ?? [])]);
  });
  addEventListener('pagehide', () => {
    for (const name of openedFiles()) {
      const headers = { authorization: `Bearer ${token.value}` };
      const address = addressOf(path`temporary-repositories/${name}`);
      // Sent although the page is being closed.
      fetch(address, { method: 'DELETE', headers, keepalive: true }).catch(() => {});
    }
  });
}

// The browser may garbage-collect an unreferenced element while its dialog is open.
const chooser = document.createElement('input');
Object.assign(chooser, { type: 'file', multiple: true });
chooser.onchange = () => {
  void openFiles([...(chooser.files ?? [])]);
  // Allows choosing the same file again.
  chooser.value = '';
};

/** Opens the file dialog, for users without a mouse. */
export function chooseFiles(): void {
  chooser.click();
}
