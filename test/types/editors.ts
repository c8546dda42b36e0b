import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-5.9';
import { isArray, isObject, type JsonObject, objectAt, own, stringAt } from '../../src/base/json/json.ts';

/** What an editor shows at a position of a file. */
export interface Editor {
  /** The documentation of the name at the position; empty if there is none. */
  documentation(file: string, offset: number): Promise<string>;
  completions(file: string, offset: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The language service of TypeScript 5.9, as editors load it. */
export function oldEditor(folder: string, files: readonly string[]): Editor & { readonly program: ts.Program } {
  const { options } = ts.parseJsonConfigFileContent(
    JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')),
    ts.sys,
    folder,
  );
  const service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    ...(ts.sys.realpath === undefined ? {} : { realpath: ts.sys.realpath }),
    getScriptFileNames: () => [...files],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => ts.ScriptSnapshot.fromString(ts.sys.readFile(file) ?? ''),
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  const program = service.getProgram();
  if (program === undefined) throw new Error('the language service has no program');
  return {
    program,
    documentation: async (file, offset) =>
      ts.displayPartsToString(service.getQuickInfoAtPosition(file, offset)?.documentation),
    completions: async (file, offset) =>
      (service.getCompletionsAtPosition(file, offset, {})?.entries ?? []).map(({ name }) => unquoted(name)),
    close: async () => service.dispose(),
  };
}

/** The language server of TypeScript 7. */
export async function newEditor(folder: string): Promise<Editor> {
  const require = createRequire(import.meta.resolve('typescript'));
  const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
  const program = join(require.resolve(`${platform}/package.json`), '../lib/tsc');
  const server = spawn(program, ['--lsp', '--stdio'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (result: JsonObject) => void>();
  const opened = new Set<string>();
  let received = Buffer.alloc(0);
  let last = 0;
  server.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(received.toString('latin1', 0, Math.max(0, end)))?.[1]);
      if (end < 0 || received.length < end + 4 + length) return;
      const message: unknown = JSON.parse(received.toString('utf8', end + 4, end + 4 + length));
      received = received.subarray(end + 4 + length);
      if (isObject(message)) heard(message);
    }
  });

  function heard(message: JsonObject): void {
    const id = own(message, 'id');
    if (Object.hasOwn(message, 'method')) {
      if (id !== undefined) send({ id, result: null }); // The server requests settings, and serves no client that does not answer.
      return;
    }
    const answer = waiting.get(Number(id));
    waiting.delete(Number(id));
    answer?.(message);
  }
  function send(message: JsonObject): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }
  function call(method: string, params: JsonObject): Promise<JsonObject> {
    last += 1;
    const id = last;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  }
  /** The position in the form of the protocol; the file is opened first. */
  function at(file: string, offset: number): JsonObject {
    const uri = pathToFileURL(file).href;
    const text = readFileSync(file, 'utf8');
    if (!opened.has(uri)) {
      opened.add(uri);
      send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
      });
    }
    const before = text.slice(0, offset).split('\n');
    return { textDocument: { uri }, position: { line: before.length - 1, character: (before.at(-1) ?? '').length } };
  }

  const hover = { contentFormat: ['markdown'] };
  const capabilities = { textDocument: { hover, completion: {} } };
  await call('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities });
  send({ method: 'initialized', params: {} });
  return {
    async documentation(file, offset) {
      const answer = await call('textDocument/hover', at(file, offset));
      const shown = stringAt(objectAt(objectAt(answer, 'result'), 'contents'), 'value') ?? '';
      return shown.replace(/^```[\s\S]*?```/, '').trim(); // The code is the type.
    },
    async completions(file, offset) {
      const found = own(await call('textDocument/completion', at(file, offset)), 'result') ?? null;
      const items = isObject(found) ? own(found, 'items') : found;
      return (isArray(items) ? items : []).map((item) =>
        unquoted(isObject(item) ? (stringAt(item, 'label') ?? '') : ''),
      );
    },
    async close() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}

/** The name without the server's mark for optional ones. */
function unquoted(text: string): string {
  return text.replace(/\?$/, '').replace(/^["']|["']$/g, '');
}
