import { AsyncLocalStorage } from 'node:async_hooks';
import { type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { canonicalText } from '../../base/json/jsonText.ts';
import type { NewPlan } from '../../gantry/gantry.ts';
import type { LoadedStack } from '../../gantry/loading/loadStack.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { sha256 } from '../../project/files/sha256.ts';
import { type CustomKindFacts, separateCustomKinds } from '../../schema/record/customKinds.ts';
import type { TrustedKeys } from '../../signing/checkSignatures.ts';
import type { FetchedStack, PlanInputs } from '../model.ts';

const scryptAsync = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
/** 32 MiB of memory, more than Node's default limit. */
const scryptCost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** All inputs of a plan. Digests of inputs with secrets are slow to guess. */
export async function inputsOf(
  stack: LoadedStack,
  { snapshot, options, behindPolicies = null }: NewPlan,
  { folder, commit = 'none' }: Pick<FetchedStack, 'folder' | 'commit'>,
  keys: TrustedKeys,
): Promise<PlanInputs> {
  const { settings } = stack;
  const { token: _token, tokenTarget: _target, ...others } = settings;
  const { others: _others, elsewhere: _elsewhere, before: _before, ...own } = options;
  const { hash: _hash, moment: _moment, ...planned } = own;
  return {
    commit,
    declared: await declaredDigest(stack),
    // Each worker has the code in its own folder.
    settings: sha256(
      canonicalText({ settings: plain(others), options: plain(planned), keys: fingerprints(keys) }).replaceAll(
        folder,
        '.',
      ),
    ),
    policies: sha256(canonicalText(behindPolicies)),
    live: Object.fromEntries(
      [...snapshot.resources.values()].map(({ id, uid, version }) => [id, `${uid}@${version}`]).sort(),
    ),
  };
}

function fingerprints({ plan, approval }: TrustedKeys) {
  return [plan, approval].map((keys) => keys.map(({ fingerprint }) => fingerprint).sort());
}

/** The name of a plan with these inputs. */
export function planName(inputs: PlanInputs): string {
  return sha256(canonicalText(inputs)).slice(0, 40);
}

async function declaredDigest({ desired, owner, outputs, scope }: LoadedStack): Promise<string> {
  const declared = desired.map(({ id, record, lifecycle }) => ({ id, record, lifecycle }));
  const text = canonicalText(plain({ declared, owner, outputs: outputs.map(({ name }) => name), scope }));
  if (!desired.some(holdsSecret)) return sha256(text);
  // Equal inputs must give equal digests on every worker, so the salt is derived from the stack.
  return (await scryptAsync(sha256(text), `gantry reconcile ${owner}`, 32, scryptCost)).toString('hex');
}

/** Whether a secret field exists, of any length: short secrets are easier to guess. */
function holdsSecret({ ref, record, lifecycle }: DesiredResource): boolean {
  const fields = [...shapeOf(ref.kind, record).fields];
  return (
    lifecycle.sensitive !== undefined || fields.some(([name, { facts }]) => facts.sensitive === true && name in record)
  );
}

/** Converts to JSON: maps and sets become lists, everything else that is not data is dropped. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      member instanceof Map || member instanceof Set ? [...member].sort() : member,
    ),
  );
}

const atHand = new AsyncLocalStorage<Map<string, CustomKindFacts>>();
separateCustomKinds(() => atHand.getStore());

/**
 * The custom kinds of one stack. A worker runs several stacks concurrently, and kinds of one must not affect the
 * others.
 */
export class OwnKinds {
  readonly #kinds = new Map<string, CustomKindFacts>();

  /** During the work, kinds are defined for this stack only, and it knows no others. */
  within<T>(work: () => T): T {
    return atHand.run(this.#kinds, work);
  }

  /** Equal for equal kinds. */
  get text(): string {
    return JSON.stringify([...this.#kinds].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
