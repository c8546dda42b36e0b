import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Outcome } from '../../outcome.ts';
import { inProcess } from '../harness/inProcess.ts';
import { type Passing, startProxy, type Verdict } from '../harness/proxy.ts';

type Judge = (passing: Passing) => Verdict;

function echo(status: number): Judge {
  return ({ isWrite, body }) =>
    isWrite ? { status, body: { status, message: `cannot take ${body}`, details: { body } } } : 'pass';
}

/** Answers to writes that return the sent values to the code that reports the error. */
export const mishaps: readonly { readonly it: string; readonly judge: Judge }[] = [
  { it: '400 that repeats the request', judge: echo(400) },
  { it: '500 that repeats the request', judge: echo(500) },
  { it: '503 that repeats the request', judge: echo(503) },
  { it: '413 without a JSON object', judge: ({ isWrite }) => (isWrite ? { status: 413 } : 'pass') },
  {
    it: 'an answer with values that differ from the sent ones',
    judge: ({ isWrite, body }) => {
      if (!isWrite) return 'pass';
      const sent: JsonObject = JSON.parse(body);
      return { status: 201, body: { ...sent, id: 'made-up', version: 1, description: 'other', tags: {} } };
    },
  },
];

/**
 * Applies the folder against a platform with such answers, once for each form of output. The third attempt to send the
 * same body is refused, when two failures have been reported.
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
      // Otherwise it waits ten seconds for the values that it has sent.
      const args = ['apply', '.', '--yes', '--consistency-timeout', '1s', '-o', output];
      const applied = inProcess({ url: proxy.url }, args, { cwd, env });
      return applied.finally(() => proxy.close());
    }),
  );
}

const refused = { status: 400, body: { status: 400, message: 'three times is enough' } };
