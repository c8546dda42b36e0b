import { type JsonObject, stringAt } from '../../../src/base/json/json.ts';
import type { ServerOptions } from '../../../src/server/options.ts';
import { type Answer, type Send, type TestPlatform, testPlatform } from '../platform.ts';

/** A platform, the bootstrap user, and service accounts that a test creates. */
export interface Guarded extends Pick<TestPlatform, 'as' | 'close' | 'url'> {
  readonly admin: Send;
  /** Creates a service account with a key and these policies. */
  readonly account: (name: string, ...policies: readonly JsonObject[]) => Promise<Send>;
}

export async function guarded(options: Partial<ServerOptions> = {}): Promise<Guarded> {
  const { send: admin, ...platform } = await testPlatform(options);
  return {
    ...platform,
    admin,
    async account(name, ...policies) {
      await done(admin('POST', 'serviceaccount', { name }));
      for (const [index, policy] of policies.entries()) {
        await done(admin('POST', 'policy', { name: `${name}-${index}`, ...policy }));
      }
      return platform.as(await keyOf(admin, name));
    },
  };
}

/** Returns the value of a new key of a service account. */
export async function keyOf(admin: Send, account: string): Promise<string> {
  const answer = await done(admin('POST', `serviceaccount/${account}/-addKey`, { description: 'for a test' }));
  return stringAt(answer.body, 'key') ?? '';
}

/** Returns the answer. Throws if the request was refused. */
export async function done(sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent;
  if (answer.status < 300) return answer;
  throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
}

export function messageOf(answer: Answer): string {
  return stringAt(answer.body, 'message') ?? '';
}

/** The fields of a policy that gives a service account permissions on the target. @default all records of the kind */
export function letting(
  account: string,
  kind: string,
  permissions: readonly string[],
  target: JsonObject = { target: 'all' },
): JsonObject {
  return { targetKind: kind, ...target, bindings: [{ permissions, principalLinks: [`//serviceaccount/${account}`] }] };
}
