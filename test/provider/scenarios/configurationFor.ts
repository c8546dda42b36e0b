import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { requirements } from '../../../src/hcl/configuration/cliConfiguration.ts';
import { configurationOf } from '../../../src/hcl/configuration/configuration.ts';
import { nativeSyntax } from '../../../src/hcl/configurationText.ts';
import type { Block } from '../../../src/hcl/expression.ts';
import { isUndeletable } from '../../../src/kinds/kindFacts.ts';
import { toManifest } from '../../../src/plan/record/toManifest.ts';
import { linkOf } from '../../../src/schema/record/ref.ts';
import { version } from '../../../src/terminal/version.ts';
import { workOf } from '../../sweeps/harness/stack.ts';

/** The flags of `gantry apply` and `gantry destroy` as attributes. */
export interface Permits {
  readonly waits: boolean;
  readonly dataLoss: boolean;
  readonly collateral: number | undefined;
}

export const noPermits: Permits = { waits: false, dataLoss: false, collateral: undefined };

export function permitsOf(flags: readonly string[]): Permits {
  const collateral = flags.find((flag) => flag.startsWith('--allow-collateral='));
  return {
    waits: flags.includes('--wait'),
    dataLoss: flags.some((flag) => flag.startsWith('--allow-data-loss=')),
    collateral: collateral === undefined ? undefined : Number(collateral.slice('--allow-collateral='.length)),
  };
}

/** Whether the permits must be applied before the change that they allow. */
export function isToBeAppliedFirst({ dataLoss, collateral }: Permits): boolean {
  return dataLoss || collateral !== undefined;
}

/** The manifests as `gantry terraform export --declared` writes them, with the values of secrets. */
export async function configurationFor(manifests: string, permits: Permits): Promise<string> {
  const records = await recordsOf(manifests);
  const { blocks } = configurationOf(
    records.map(({ ref, record }) => ({ ref, record: { ...record, lifecycle: lifecycleWith(record, permits) } })),
    { org: 'local', imports: false, hideSensitive: false },
  );
  return nativeSyntax([requirements(version), ...blocks.map((block) => withCollateral(block, permits))]);
}

/** The same with an import block for each record, and without provider-only instructions, which no platform has. */
export async function importsFor(manifests: string): Promise<{ readonly text: string; readonly count: number }> {
  const records = await recordsOf(manifests);
  const { blocks } = configurationOf(
    records.map(({ ref, record }) => {
      const { replace: _replace, wait: _wait, waitTimeout: _timeout, ...lifecycle } = objectAt(record, 'lifecycle');
      return { ref, record: { ...record, lifecycle } };
    }),
    { org: 'local', imports: true, hideSensitive: false },
  );
  return { text: nativeSyntax([requirements(version), ...blocks]), count: records.length };
}

/** The paths of everything that a destroy has to delete. */
export async function deletablePathsOf(manifests: string): Promise<readonly string[]> {
  const records = await recordsOf(manifests);
  return records.filter(({ ref }) => !isUndeletable(ref.kind, {})).map(({ ref }) => linkOf(ref, 'local'));
}

async function recordsOf(manifests: string) {
  const { input } = await workOf({ manifests }, 'terraform');
  return input.desired.map((resource) => ({ ref: resource.ref, record: toManifest(resource) }));
}

function lifecycleWith(record: JsonObject, { waits, dataLoss }: Permits): JsonObject {
  const lifecycle = objectAt(record, 'lifecycle');
  return { ...lifecycle, ...(waits ? { wait: true } : {}), ...(dataLoss ? { replace: true } : {}) };
}

function withCollateral(block: Block, { collateral }: Permits): Block {
  if (collateral === undefined || block.labels?.[0] !== 'gantry_gvc') return block;
  return { ...block, attributes: [...(block.attributes ?? []), ['allow_collateral', collateral]] };
}
