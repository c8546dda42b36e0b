import { createHash, scrypt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { canonicalText } from '../../base/json/canonicalText.ts';
import { hiddenTexts } from '../../client/hiddenTexts.ts';
import type { NewPlan } from '../../gantry/gantry.ts';
import type { LoadedStack } from '../../gantry/loading/loadStack.ts';
import type { FetchedStack, PlanInputs } from '../model.ts';

const slow = promisify<string, string, number, { N: number; r: number; p: number }, Buffer>(scrypt);

/** Everything that goes into a plan. What holds secrets is digested so that guessing them is slow. */
export async function inputsOf(
  stack: LoadedStack,
  { snapshot, options }: NewPlan,
  { folder, commit = 'none' }: Pick<FetchedStack, 'folder' | 'commit'>,
): Promise<PlanInputs> {
  const { settings, policies } = stack;
  const { token: _token, tokenTarget: _target, ...others } = settings;
  const { others: _others, elsewhere: _elsewhere, before: _before, promised: _promised, ...own } = options;
  const { hash: _hash, moment: _moment, ...planned } = own;
  const files = await Promise.all((policies?.files ?? []).map((file) => readFile(file, 'utf8')));
  return {
    commit,
    declared: await declaredDigest(stack),
    // Each worker has the code in a folder of its own.
    settings: digest(canonicalText({ settings: plain(others), options: plain(planned) }).replaceAll(folder, '.')),
    policies: digest(canonicalText([policies === undefined ? 'none' : 'some', ...files])),
    live: Object.fromEntries(
      [...snapshot.resources.values()].map(({ id, uid, version }) => [id, `${uid}@${version}`]).sort(),
    ),
  };
}

/** The name of a plan with these inputs. */
export function planName(inputs: PlanInputs): string {
  return digest(canonicalText(inputs)).slice(0, 40);
}

async function declaredDigest({ desired, owner, outputs, scope }: LoadedStack): Promise<string> {
  const declared = desired.map(({ id, record, lifecycle }) => ({ id, record, lifecycle }));
  const text = canonicalText(plain({ declared, owner, outputs: outputs.map(({ name }) => name), scope }));
  const isSecret = desired.some(
    ({ ref, record, lifecycle }) => hiddenTexts(ref.kind, record).length > 0 || lifecycle.sensitive !== undefined,
  );
  if (!isSecret) return digest(text);
  // Equal inputs have to give equal digests on every worker, so the salt is that of the stack.
  return (await slow(digest(text), `gantry reconcile ${owner}`, 32, { N: 2 ** 15, r: 8, p: 1 })).toString('hex');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** As JSON has it: maps and sets as lists, nothing that is no data. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      member instanceof Map || member instanceof Set ? [...member].sort() : member,
    ),
  );
}
