import type { JsonObject } from '../../schema/json/json.ts';
import { withoutUndefined } from './withoutUndefined.ts';
import { positionToJson } from '../record/fieldPosition.ts';
import type { ExplainedField, ExplainedWay, Explanation } from '../explain/explanation.ts';

/** The explanation in its documented form (`explanationSchema.ts`). Keys stand in a fixed order. */
export function explanationToJson(explanation: Explanation): JsonObject {
  const { proof } = explanation;
  return withoutUndefined({
    formatVersion: 1,
    org: explanation.org,
    stack: explanation.stack,
    resource: explanation.resource,
    action: explanation.action,
    intended: explanation.intended,
    reason: explanation.reason,
    risk: explanation.risk,
    liveVersion: explanation.liveVersion,
    owner: explanation.owner,
    at: explanation.at && positionToJson(explanation.at),
    requests: explanation.requests.map(({ method, then, body }) => withoutUndefined({ method, then, body })),
    proof:
      proof === undefined
        ? undefined
        : { holds: proof.holds, managed: proof.managed, untouched: proof.untouched, against: proof.against },
    choices: explanation.choices.map(({ path, then, chosen, rejected, impossible }) =>
      withoutUndefined({
        path,
        then,
        chosen: wayToJson(chosen),
        rejected: rejected.map(wayToJson),
        impossible: impossible.map(({ directives, because }) => ({ directives, because })),
      }),
    ),
    fields: explanation.fields.map(fieldToJson),
    equal: explanation.equal.map(fieldToJson),
    counts: { ...explanation.counts },
    waitsFor: explanation.waitsFor.map(({ on, because, soft, ready }) =>
      withoutUndefined({ on, because, soft, ready }),
    ),
    takesAlong: explanation.takesAlong.map(({ id, owner }) => ({ id, owner })),
    hits: explanation.hits,
    renamedFrom: explanation.renamedFrom,
    via: explanation.via,
    refusals: explanation.refusals.map(({ code, message, allow }) => withoutUndefined({ code, message, allow })),
    notes: explanation.notes,
  });
}

function wayToJson({ entries, leaves, bytes }: ExplainedWay): JsonObject {
  return withoutUndefined({ entries, leaves, bytes });
}

function fieldToJson(field: ExplainedField): JsonObject {
  const { path, why, because, declared, at, live, before, means, writer, risk } = field;
  return withoutUndefined({
    path,
    why,
    because,
    declared,
    at: at && positionToJson(at),
    live,
    before,
    means,
    writer:
      writer === undefined || writer === null
        ? writer
        : { name: writer.name, type: writer.type, version: writer.version, at: writer.at },
    risk,
  });
}
