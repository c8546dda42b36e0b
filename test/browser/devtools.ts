import { isObject, type JsonObject, numberAt, objectAt, stringAt } from '../../src/base/json/json.ts';

interface Waiting {
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** The debugging protocol of Chromium: requests to the browser, and its events. */
export class Devtools {
  readonly #socket: WebSocket;
  readonly #asked = new Map<number, Waiting>();
  readonly #awaited = new Map<string, (told: JsonObject) => void>();
  readonly #heard = new Map<string, (told: JsonObject) => void>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#hear(String(data)));
  }

  static async connect(address: string): Promise<Devtools> {
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error(`no connection to ${address}`)));
    });
    return new Devtools(socket);
  }

  send(method: string, params: JsonObject, sessionId = ''): Promise<JsonObject> {
    this.#last += 1;
    const id = this.#last;
    const session = sessionId === '' ? {} : { sessionId };
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params, ...session }));
    });
  }

  /** The next event of this name. */
  event(method: string, sessionId: string): Promise<JsonObject> {
    return new Promise((resolve) => this.#awaited.set(`${method} ${sessionId}`, resolve));
  }

  /** Every event of this name from now on. */
  each(method: string, sessionId: string, hear: (told: JsonObject) => void): void {
    this.#heard.set(`${method} ${sessionId}`, hear);
  }

  #hear(text: string): void {
    const told: unknown = JSON.parse(text);
    if (!isObject(told)) return;
    const id = numberAt(told, 'id');
    if (id === undefined) {
      const name = `${stringAt(told, 'method')} ${stringAt(told, 'sessionId')}`;
      const params = objectAt(told, 'params');
      this.#awaited.get(name)?.(params);
      this.#heard.get(name)?.(params);
      return;
    }
    const waiting = this.#asked.get(id);
    this.#asked.delete(id);
    if (isObject(told['error'])) waiting?.reject(new Error(JSON.stringify(told['error'])));
    else waiting?.resolve(objectAt(told, 'result'));
  }
}
