import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../base/json/json.ts';
import { parseJsonText } from '../../base/json/jsonText.ts';
import { present } from '../../base/json/present.ts';
import { isMissing } from '../../project/files/exists.ts';
import { writeWhole } from '../../project/files/writeWhole.ts';
import { type CheckedSignature, checkSignatures, type TrustedKeys } from '../../signing/checkSignatures.ts';
import { readEnvelope } from '../../signing/envelope.ts';
import { objectionText } from '../../signing/requiredApprovals.ts';
import { planBytesOf, type Target } from '../../signing/statement.ts';
import { parseTrustedKeys, type TrustedKey } from '../../signing/trustedKeys.ts';
import type { GivenApproval } from '../model.ts';

/** A saved plan with its planner's signatures. */
export interface KeptPlan {
  readonly file: string;
  readonly signatures: string;
}

/**
 * Synced files for data that must survive a power cut, when the database may lose rows: waiting plans and their
 * approvals. A plan is named after its inputs, so the same plan made after a loss finds its approvals here.
 */
export class KeptFiles {
  readonly #folder: string;

  /** `folder`: on this machine, readable only for its owner. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async keep(stack: string, plan: string, kept: KeptPlan): Promise<void> {
    await mkdir(this.#of(stack), { recursive: true, mode: 0o700 });
    writeWhole(this.#path(stack, plan, 'plan'), JSON.stringify(kept), 0o600);
  }

  async plan(stack: string, plan: string): Promise<KeptPlan | undefined> {
    const text = await textOf(this.#path(stack, plan, 'plan'));
    return text === undefined ? undefined : (JSON.parse(text) as KeptPlan);
  }

  /** Synced when this resolves. */
  async approve(stack: string, plan: string, approval: GivenApproval): Promise<void> {
    await mkdir(this.#of(stack), { recursive: true, mode: 0o700 });
    const file = await open(this.#path(stack, plan, 'approvals'), 'a', 0o600);
    try {
      await file.writeFile(`\n${JSON.stringify(approval)}\n`); // an earlier line may be incomplete
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Ignores incomplete lines after a crash or a full disk: they were not acknowledged. */
  async approvals(stack: string, plan: string): Promise<readonly GivenApproval[]> {
    const lines = ((await textOf(this.#path(stack, plan, 'approvals'))) ?? '').split('\n').slice(0, -1);
    return lines.flatMap((line) => {
      const approval = parseJsonText(line);
      return isObject(approval) ? [approval as unknown as GivenApproval] : [];
    });
  }

  async forget(stack: string, plan: string): Promise<void> {
    const paths = (['approvals', 'plan'] as const).map((what) => this.#path(stack, plan, what));
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  }

  /** Deletes all others: they are superseded or applied. */
  async forgetOthers(stack: string, plan: string | undefined): Promise<void> {
    const files = await readdir(this.#of(stack)).catch(() => []);
    const others = files.filter((file) => plan === undefined || !file.startsWith(`${plan}.`));
    await Promise.all(others.map((file) => rm(join(this.#of(stack), file), { force: true })));
  }

  #of(stack: string): string {
    return join(this.#folder, encodeURIComponent(stack).replaceAll('.', '%2E'));
  }

  #path(stack: string, plan: string, what: 'plan' | 'approvals'): string {
    return join(this.#of(stack), `${plan}.${what}`);
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * The trusted signatures of a plan, and its target, from `gantry.yaml` when it is proposed, because the board does not
 * have the code. The keys are inputs of the plan's name, so they stay the same while it waits.
 */
export interface PlanTrust {
  readonly target: Target;
  /** In PEM. */
  readonly keys: Readonly<Record<keyof TrustedKeys, string>>;
}

export function planTrust({ plan, approval }: TrustedKeys, target: Target): PlanTrust {
  return { target, keys: { plan: inPem(plan), approval: inPem(approval) } };
}

export interface SignedPlan extends KeptPlan {
  readonly trust: PlanTrust;
}

/** For each approval with a key the reason why it does not count; undefined if it counts. */
export function objectionsTo(
  { file, signatures, trust: { target, keys } }: SignedPlan,
  lines: readonly string[],
  nowMs: number,
): readonly (string | undefined)[] {
  const planners = signatures.split('\n').flatMap((line) => readEnvelope(line) ?? []);
  const read = lines.map(readEnvelope);
  const approvals = read.filter((each) => each !== undefined);
  const checked = checkSignatures([...planners, ...approvals], {
    plan: planBytesOf(Buffer.from(file)),
    target,
    keys: { plan: fromPem(keys.plan), approval: fromPem(keys.approval) },
    nowMs,
  });
  const found = new Map(approvals.map((envelope, index) => [envelope, checked[planners.length + index]]));
  return read.map((envelope) => (envelope === undefined ? 'it is incomplete' : whyNot(found.get(envelope))));
}

/** The same approvals, each with why it does not count: of a plan that has to be signed. */
export function judgedApprovals(
  plan: SignedPlan,
  given: readonly GivenApproval[],
  nowMs: number,
): readonly GivenApproval[] {
  const objections = objectionsTo(
    plan,
    given.map(({ signature = '' }) => signature),
    nowMs,
  );
  return given.map((approval, index) => ({ ...approval, ...present({ uncounted: objections[index] }) }));
}

function whyNot(checked: CheckedSignature | undefined): string | undefined {
  if (checked?.statement.role !== 'approval') return 'it is the signature of the plan, not an approval';
  return checked.objection === undefined ? undefined : objectionText(checked.objection);
}

function inPem(keys: readonly TrustedKey[]): string {
  return keys.map(({ key }) => String(key.export({ format: 'pem', type: 'spki' }))).join('');
}

function fromPem(text: string): readonly TrustedKey[] {
  return parseTrustedKeys(text, 'the store');
}
