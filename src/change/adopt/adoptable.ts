import { stringAt } from '../../base/json/json.ts';
import { withArticle } from '../../base/text/article.ts';
import { isSecret } from '../../kinds/kindFacts.ts';
import { secretTypes } from '../../kinds/secret/fields.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { type Hash, ownershipOf } from '../../plan/record/ownership.ts';
import { isDeclarable } from '../../schema/record/kinds.ts';

/** The platform's own: every org has many of them. */
export const builtIn = 'it is built in';

/** Why a live resource cannot be adopted, in words; undefined: it can. */
export function whyNotAdopted(
  live: LiveResource,
  { owner, org, hash }: { readonly owner: string; readonly org: string; readonly hash: Hash },
): string | undefined {
  const undeclarable = whyNotDeclared(live);
  if (undeclarable !== undefined) return undeclarable;
  const ownership = ownershipOf(live, owner, org, hash);
  switch (ownership.state) {
    case 'ours':
    case 'unrecorded':
      return 'it belongs to this stack already';
    case 'other':
      return (
        `it belongs to the stack ${ownership.owner}; if that stack hands it over, ` +
        `declare it with lifecycle.adopt: {from: ${ownership.owner}}`
      );
    case 'copy':
    case 'lost':
    case 'none':
      return undefined;
  }
}

/** Why no manifest can declare a live resource, whoever owns it; undefined: one can. */
export function whyNotDeclared({ ref: { kind }, record }: LiveResource): string | undefined {
  if (!isDeclarable(kind)) return `${withArticle(kind)} is created by the platform and cannot be declared`;
  if (stringAt(record, 'origin') === 'builtin') return builtIn;
  return isSecret(kind) && !secretTypes.some((type) => type === stringAt(record, 'type'))
    ? 'it is a secret of a type that Gantry does not know'
    : undefined;
}
