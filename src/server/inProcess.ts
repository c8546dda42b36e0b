import { randomUUID } from 'node:crypto';
import { assemble } from './assemble.ts';
import { answerRequest, splitTarget } from './http/answer.ts';
import type { ApiReply, ReadBody } from './http/message.ts';
import type { ServerOptions } from './options.ts';
import type { Dump, OrgDump, View } from './store/model/row.ts';

export type { ApiReply } from './http/message.ts';
export type { Dump, NewRow, OrgDump } from './store/model/row.ts';

/** A request to a platform in this process. */
export interface InProcessRequest {
  readonly method: string;
  /** Absolute path with its query. */
  readonly path: string;
  /** JSON; empty if there is no body. */
  readonly bodyText: string;
}

/** A platform without a socket: in memory, with a virtual clock, controlled by its owner. */
export interface InProcessPlatform {
  /** Resolves to undefined if the connection ends without a response. */
  send(request: InProcessRequest): Promise<ApiReply | undefined>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs all jobs due by `ms`, in order. */
  stepTo(ms: number): Promise<number>;
  /** Returns the complete state, with secrets in the clear. */
  dump(): Promise<Dump>;
  /** Replaces the complete state, without checking it. */
  load(dump: Dump): Promise<void>;
  close(): Promise<void>;
}

export type InProcessOptions = Pick<ServerOptions, 'faults' | 'from' | 'lenient' | 'org' | 'seed' | 'tolerate'>;

/**
 * Opens a platform. Permissions are not checked; workloads are ready and deletions finish immediately. Errors: as of
 * `assemble`.
 */
export async function openInProcess(options: InProcessOptions): Promise<InProcessPlatform> {
  const platform = await assemble({ ...options, clock: 'virtual', readyAfterMs: 0, noAuth: true }, undefined);
  return {
    async send({ method, path: address, bodyText }) {
      const { path, query } = splitTarget(address);
      const nobody = { authorization: undefined, host: undefined, remoteIp: '' };
      const arrival = { id: randomUUID(), method, path, query, isInProcess: true, ...nobody } as const;
      const answer = await answerRequest(arrival, bodyReader(bodyText), platform);
      if (answer?.pieces === undefined) return answer;
      const more = await Array.fromAsync(answer.pieces);
      return { ...answer, body: answer.body + more.join('') };
    },
    now: platform.clock.now,
    stepTo: platform.stepTo,
    dump: () => withView(platform.service.view(true), collectDump),
    load: platform.service.load,
    close: platform.close,
  };
}

function bodyReader(text: string): ReadBody {
  return async (_, keep) => {
    keep?.(text);
    return keep === undefined ? text : '';
  };
}

/** Reads the whole view into memory. */
export async function collectDump(view: View): Promise<Dump> {
  const dump: [string, OrgDump][] = [];
  for (const org of await view.orgs()) {
    const state = view.of(org);
    const [records, leaving, entries, due] = [
      await Array.fromAsync(state.records()),
      await Array.fromAsync(state.leaving()),
      await Array.fromAsync(state.entries()),
      await Array.fromAsync(state.due()),
    ];
    dump.push([org, { facts: await state.facts(), records, leaving, entries, due }]);
  }
  return Object.fromEntries(dump);
}

/** Runs the work on a view, then closes the view. */
export async function withView<T>(opening: Promise<View>, work: (view: View) => Promise<T>): Promise<T> {
  const view = await opening;
  try {
    return await work(view);
  } finally {
    await view.close();
  }
}
