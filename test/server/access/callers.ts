import { isObject, type JsonObject, own, stringAt } from '../../../src/base/json/json.ts';
import type { ServerOptions } from '../../../src/server/options.ts';
import { type Answer, testPlatform } from '../platform.ts';

export type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A platform, the bootstrap user, and whoever else is asked for. */
export interface Guarded {
  readonly url: string;
  readonly admin: Send;
  /** With this value of the `Authorization` header. */
  readonly as: (token: string) => Send;
  /** A new service account with a key, and these policies for it. */
  readonly account: (name: string, ...policies: readonly JsonObject[]) => Promise<Send>;
  close(): Promise<void>;
}

export async function guarded(options: Partial<ServerOptions> = {}): Promise<Guarded> {
  const platform = await testPlatform(options);
  const { url, send: admin } = platform;
  const as = (token: string) => sender(url, token);
  return {
    url,
    admin,
    as,
    async account(name, ...policies) {
      await done(admin('POST', 'serviceaccount', { name }));
      for (const [index, policy] of policies.entries()) {
        await done(admin('POST', 'policy', { name: `${name}-${index}`, ...policy }));
      }
      return as(await keyOf(admin, name));
    },
    close: () => platform.close(),
  };
}

/** The value of a new key of a service account. */
export async function keyOf(admin: Send, account: string): Promise<string> {
  const answer = await done(admin('POST', `serviceaccount/${account}/-addKey`, { description: 'for a test' }));
  return stringAt(answer.body, 'key') ?? '';
}

/** A request that has to work. */
export async function done(sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent;
  if (answer.status < 300) return answer;
  throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** The record without what the platform adds that is of no interest here. */
export function messageOf(answer: Answer): string {
  return stringAt(answer.body, 'message') ?? '';
}

/**
 * Of a policy that lets a service account do these things with these records; all of the kind where no more is said.
 */
export function letting(
  account: string,
  kind: string,
  permissions: readonly string[],
  target: JsonObject = { target: 'all' },
): JsonObject {
  return {
    targetKind: kind,
    ...target,
    bindings: [{ permissions, principalLinks: [`//serviceaccount/${account}`] }],
  };
}

function sender(url: string, token: string): Send {
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await fetch(url + (path.startsWith('/') ? path : `/org/local/${path}`), {
      method,
      headers: { authorization: token },
      ...sent,
    });
    const text = await response.text();
    const value: unknown = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, body: isObject(value) ? value : {} };
  };
}

export function field(answer: Answer, name: string): unknown {
  return own(answer.body, name);
}
