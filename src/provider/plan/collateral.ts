import { counted } from '../../base/text/counted.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { ownNames } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue } from '../../hcl/value.ts';
import { type GvcLoss, nameOfLoss } from '../../plan/record/gvcLosses.ts';
import type { NeedOfOther } from '../../plan/references/needs.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** The maximum number of named records; the apply names the rest. */
const mostNamed = 20;

/** A GVC is deleted or replaced, and contains resources that this configuration has not created. */
export function deletionCollateral(
  id: ResourceId,
  others: readonly ResourceId[],
  allowedBy: ObjectValue,
): readonly Diagnostic[] {
  if (others.length === 0) return [];
  const allowed = attributeOf(allowedBy, ownNames.allowCollateral) ?? 0;
  return [
    {
      severity: 'warning',
      summary: `${id} contains ${counted(others.length, 'resource')} that this configuration has not created`,
      detail:
        `${firstOf([...others].sort(), mostNamed)}. ` +
        (allowed === others.length
          ? `They are deleted with it: ${ownNames.allowCollateral} = ${allowed} allows exactly that.`
          : `The apply refuses to delete them with it: ${ownNames.allowCollateral} is ${String(allowed)}. To allow it, apply ` +
            `${ownNames.allowCollateral} = ${others.length} first.`),
    },
  ];
}

/** Records of others need a record that is deleted or replaced, which the platform would not report. */
export function dangling(
  id: ResourceId,
  needs: readonly NeedOfOther[],
  allowedBy: ObjectValue,
): { readonly named: string; readonly losing: number; readonly warnings: readonly Diagnostic[] } {
  const losing = new Set(needs.map(({ by }) => by)).size;
  const lines = needs.map(({ by, on, path }) => `${by} needs ${on === id ? 'it' : on} at ${path}`);
  const named = firstOf(lines, mostNamed);
  const allowed = attributeOf(allowedBy, ownNames.allowDangling) ?? 0;
  if (losing === allowed || losing === 0) return { named, losing, warnings: [] };
  return {
    named,
    losing,
    warnings: [
      {
        severity: 'warning',
        summary: `${id} is needed by ${counted(losing, 'resource')} that this configuration has not created`,
        detail:
          `${named}. The apply refuses to delete it while they need it, unless ${ownNames.allowDangling}, ` +
          `${String(allowed)} now, is the number of them.`,
      },
    ],
  };
}

/** An update of a GVC removes something from resources of others. `victims` is undefined if they cannot be listed. */
export function updateCollateral(
  id: ResourceId,
  takes: readonly GvcLoss[],
  victims: readonly ResourceId[] | undefined,
): readonly Diagnostic[] {
  if (takes.length === 0 || victims?.length === 0) return [];
  const taken = `${id} takes away ${takes.map(nameOfLoss).join(', ')}`;
  if (victims === undefined) {
    return [
      {
        severity: 'warning',
        summary: `${taken}, perhaps from resources of others`,
        detail: 'This token cannot list what is in the GVC, so it is not known whom it affects.',
      },
    ];
  }
  return [
    {
      severity: 'warning',
      summary: `${taken} from ${counted(victims.length, 'resource')} that this configuration has not created`,
      detail: `${firstOf([...victims].sort(), mostNamed)}.`,
    },
  ];
}
