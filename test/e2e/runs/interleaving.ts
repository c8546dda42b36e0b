import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../src/base/json/json.ts';
import type { Outcome } from '../../outcome.ts';
import { inProcess } from '../harness/inProcess.ts';
import type { Platform } from '../harness/platform.ts';
import { type Passing, startProxy, type Verdict } from '../harness/proxy.ts';
import { startGantry } from '../harness/running.ts';

/** Two runs on a stack of four resources: a GVC with a child, and a policy for a group. */
export interface Interleaving {
  readonly it: string;
  /** The stack before both runs; undefined if it does not exist. */
  readonly before: Wording | undefined;
  /** The stack that each of the two runs wants; `destroy` wants none. */
  readonly first: Wording | 'destroy';
  readonly second: Wording | 'destroy';
}

/** Every record contains `word`; another `target` replaces the policy. */
export interface Wording {
  readonly word: string;
  readonly target: 'group' | 'gvc';
}

const plain = { word: 'plain', target: 'group' } as const;
const red = { word: 'red', target: 'group' } as const;
const blue = { word: 'blue', target: 'group' } as const;
const redOther = { word: 'red', target: 'gvc' } as const;
const blueOther = { word: 'blue', target: 'gvc' } as const;

export const interleavings: readonly Interleaving[] = [
  { it: 'creating, the same code', before: undefined, first: red, second: red },
  { it: 'creating, different code', before: undefined, first: red, second: blue },
  { it: 'changing, the same code', before: plain, first: red, second: red },
  { it: 'changing, different code', before: plain, first: red, second: blue },
  { it: 'replacing, the same code', before: plain, first: redOther, second: redOther },
  { it: 'replacing, different code', before: plain, first: redOther, second: blueOther },
  { it: 'deleting twice', before: plain, first: 'destroy', second: 'destroy' },
  { it: 'the first deletes, the second changes', before: plain, first: 'destroy', second: blue },
  { it: 'the first changes, the second deletes', before: plain, first: red, second: 'destroy' },
];

function manifests(prefix: string, { word, target }: Wording): string {
  return `
kind: gvc
name: ${prefix}
description: ${word}
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: identity
name: app
gvc: ${prefix}
description: ${word}
---
kind: group
name: ${prefix}-people
description: ${word}
---
kind: policy
name: ${prefix}-rules
description: ${word}
targetKind: ${target}
targetLinks: [${target === 'group' ? `//group/${prefix}-people` : `//gvc/${prefix}`}]
bindings:
  - permissions: [view]
    principalLinks: [//gvc/${prefix}/identity/app]
`;
}

/** Which request of the first process is held: its n-th request, or its n-th write. */
export type Held = { readonly request: number } | { readonly write: number };

export interface Ended {
  /** Whether the first process reached the request at which it is held. */
  readonly held: boolean;
  readonly first: Outcome;
  readonly second: Outcome;
  /** The outcome of one more run of the second process alone, which must settle everything. */
  readonly settled: Outcome;
  /** The words of all records of the stack, and the target of the policy, after that run. */
  readonly left: readonly string[];
}

/**
 * Holds a request of the first process until the second has ended, then lets it continue, and settles by a third run.
 */
export async function interleave(
  root: string,
  prefix: string,
  platform: Platform,
  wanted: Interleaving,
  at: Held,
): Promise<Ended> {
  const project = (wording: Wording | 'destroy', name: string): string => {
    const folder = mkdtempSync(join(root, `${prefix}-${name}-`));
    writeFileSync(join(folder, 'gantry.yaml'), `stack: ${prefix}\n`);
    if (wording !== 'destroy') writeFileSync(join(folder, 'stack.yaml'), manifests(prefix, wording));
    return folder;
  };
  const args = (wording: Wording | 'destroy', ...more: readonly string[]) =>
    wording === 'destroy'
      ? ['destroy', '--yes', '-o', 'json', ...more]
      : ['apply', '.', '--yes', '-o', 'json', ...more];
  const run = (wording: Wording | 'destroy', folder: string, ...more: readonly string[]) =>
    inProcess(platform, args(wording, ...more), { cwd: folder });

  if (wanted.before !== undefined) {
    const made = await run(wanted.before, project(wanted.before, 'before'));
    if (made.code !== 0) throw new Error(made.stdout + made.stderr);
  }
  const [folderOfFirst, folderOfSecond] = [project(wanted.first, 'first'), project(wanted.second, 'second')];
  let requests = 0;
  let second: Promise<Outcome> | undefined;
  const isHeld = ({ isWrite, write }: Passing) =>
    'write' in at ? isWrite && write === at.write : requests === at.request;
  const proxy = await startProxy(platform.url, async (passing): Promise<Verdict> => {
    requests += 1;
    if (isHeld(passing)) second ??= run(wanted.second, folderOfSecond);
    await second; // all later requests wait too
    return 'pass';
  });
  const first = await startGantry(proxy.url, args(wanted.first), folderOfFirst).ended;
  await proxy.close();
  const held = second !== undefined;
  const ended = { held, first, second: await (second ?? run(wanted.second, folderOfSecond)) };
  const settled = await run(wanted.second, folderOfSecond, '--verify', 'full');
  return { ...ended, settled, left: await wordsOf(platform, prefix) };
}

async function wordsOf(platform: Platform, prefix: string): Promise<readonly string[]> {
  const paths = [`gvc/${prefix}`, `gvc/${prefix}/identity/app`, `group/${prefix}-people`, `policy/${prefix}-rules`];
  const found = await Promise.all(paths.map((path) => platform.call('GET', `/org/local/${path}`)));
  return found.flatMap(({ status, body }) =>
    status === 200
      ? [`${stringAt(body, 'description')}${'targetKind' in body ? ` ${stringAt(body, 'targetKind')}` : ''}`]
      : [],
  );
}

export function wordsWanted(wording: Wording | 'destroy'): readonly string[] {
  if (wording === 'destroy') return [];
  const { word, target } = wording;
  return [word, word, word, `${word} ${target}`];
}

/** The sorted codes of failed changes without duplicates, and the result of the verification. */
export function resultOf({ stdout }: Outcome): { readonly codes: readonly string[]; readonly verified: unknown } {
  const parsed: unknown = JSON.parse(stdout);
  const result: JsonObject = isObject(parsed) ? objectAt(parsed, 'result') : {};
  const codes = listAt(result, 'failed').map((failed) => (isObject(failed) ? (stringAt(failed, 'code') ?? '') : ''));
  return { codes: [...new Set(codes)].sort(), verified: own(result, 'verified') };
}
