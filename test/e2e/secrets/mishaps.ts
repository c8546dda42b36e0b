import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Outcome } from '../../outcome.ts';
import { inProcess } from '../harness/inProcess.ts';
import { type Passing, startProxy, type Verdict } from '../harness/proxy.ts';

type Judge = (passing: Passing) => Verdict;

function echo(status: number): Judge {
  return ({ isWrite, body }) =>
    isWrite ? { status, body: { status, message: `cannot take ${body}`, details: { body } } } : 'pass';
}

/** Answers to writes that bring the values that were sent back to whoever reports what went wrong. */
export const mishaps: readonly { readonly it: string; readonly judge: Judge }[] = [
  { it: '400 that repeats what it was sent', judge: echo(400) },
  { it: '500 that repeats what it was sent', judge: echo(500) },
  { it: '503 that repeats what it was sent', judge: echo(503) },
  { it: '413 that is no JSON object', judge: ({ isWrite }) => (isWrite ? { status: 413 } : 'pass') },
  {
    it: 'an answer with other values than promised',
    judge: ({ isWrite, body }) => {
      if (!isWrite) return 'pass';
      const sent: JsonObject = JSON.parse(body);
      return { status: 201, body: { ...sent, id: 'made-up', version: 1, description: 'other', tags: {} } };
    },
  },
];

/**
 * Applies what is in the folder against a platform that answers so, once for each form of output. An apply that goes on
 * trying is refused when it sends something for the third time: it has told of two failures then.
 */
export function applyThrough(
  url: string,
  judge: Judge,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Outcome[]> {
  return Promise.all(
    ['text', 'json'].map(async (output) => {
      const sent = new Map<string, number>();
      const proxy = await startProxy(url, (passing) => {
        const times = (sent.get(passing.body) ?? 0) + 1;
        if (passing.isWrite) sent.set(passing.body, times);
        return passing.isWrite && times >= 3 ? refused : judge(passing);
      });
      const applied = inProcess({ url: proxy.url }, ['apply', '.', '--yes', '-o', output], { cwd, env });
      return applied.finally(() => proxy.close());
    }),
  );
}

const refused = { status: 400, body: { status: 400, message: 'three times is enough' } };
