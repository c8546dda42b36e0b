import type { JsonObject } from '../../base/json/json.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { actionCounts } from '../../plan/impact/actionCounts.ts';
import { planRisk } from '../../plan/impact/risk.ts';
import type { Change, Edge, UncheckedChange } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { isRefused } from '../../plan/model/planState.ts';
import { announcedProbe } from '../../plan/order/applyRequests.ts';
import { positionOfField } from '../../plan/record/shapeFacts.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { planForm } from './planDocument.ts';

/**
 * The plan in its documented form (`planDocument.ts`). Sensitive values are masked. Keys are in a fixed order, so equal
 * plans give equal texts. `declared`: adds the positions of changes and fields.
 */
export function planToJson(plan: Plan, declared: readonly DesiredResource[] = []): JsonObject {
  const byId = new Map(declared.map((resource) => [resource.id, resource]));
  const probe = announcedProbe(plan);
  return planForm.write({
    ...plan,
    ...(probe && { versionProbe: { id: formatRef(probe.ref), patch: { ...probe.body } } }),
    refused: isRefused(plan),
    changes: plan.changes.map((change) => changeDocument(change, byId.get(change.id))),
    risk: planRisk(plan.changes),
    summary: actionCounts(plan.changes),
  });
}

/** One change of a document. `resource`: adds the positions of the change and of its fields. */
export function changeDocument(change: Change, resource?: DesiredResource) {
  const { create, patch, then, requires, deleteRequires = [], thenRequires, ...others }: UncheckedChange = change;
  return {
    ...others,
    ...(resource === undefined ? {} : placesOf(change, resource)),
    ...(create && { create: create.masked }),
    ...(patch && { patch: patch.masked }),
    ...(then && { then: then.masked }),
    requires: ids([...requires, ...deleteRequires]),
    ...(thenRequires && { thenRequires: ids(thenRequires) }),
    waitsFor: waitsOf(change),
  };
}

function placesOf({ kind, fields }: Change, resource: DesiredResource) {
  const shape = shapeOf(kind, resource.record);
  const place = resource.locate([]);
  return {
    ...(place && { place }),
    fields: fields.map((field) => {
      const at = positionOfField(field.path, shape, resource);
      return { ...field, ...(at && { place: at }) };
    }),
  };
}

function ids(edges: readonly Edge[]): readonly string[] {
  return [...new Set(edges.map((edge) => edge.on))].sort();
}

/** Each edge with its reason and with the step that waits. */
function waitsOf({ requires, deleteRequires = [], thenRequires = [] }: Change) {
  const steps = [
    ['write', requires],
    ['delete', deleteRequires],
    ['then', thenRequires],
  ] as const;
  return steps.flatMap(([step, edges]) =>
    edges.map((edge) => ({ ...edge, step, ...(edge.step && { onStep: edge.step }) })),
  );
}
