import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { isCode } from '../../client/http/apiError.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { appliedTag, ownerOf, ownerTag } from '../../manifest/model/ownTags.ts';
import type { Change } from '../../plan/model/change.ts';
import { creationOf } from '../plan/patchFor.ts';
import { replanOf, withStored } from './answers.ts';
import type { ChangeContext, Changed } from './changeContext.ts';
import { heldElsewhere, taken } from './changeErrors.ts';
import { bodyOf, type ChangeOutcome, changeOf, type RunOptions, runChange } from './runChange.ts';

export interface Creation extends Changed {
  /** Everything in it is known. */
  readonly config: ObjectValue;
  /** A new text for each call: by it the record of a request whose answer was lost is known again. */
  readonly request: string;
}

/** Creates a record. An existing one with this name is somebody else's, unless this very request has made it. */
export async function createRecord(
  context: ChangeContext,
  { config, request, ...changed }: Creation,
  options: RunOptions,
): Promise<ChangeOutcome> {
  const document = withTags(creationOf(changed.kind, config), context.owner, request);
  const body = bodyOf(changed, document);
  const change: Change = { ...changeOf(changed), action: 'create', create: body, expected: body };
  const { creations, states } = context;
  await creations.begin(request);
  const declared = { ...changed, config, prior: null };
  const replan = replanOf(context, declared, () => undefined);
  const outcome = withStored(context, declared, await runChange(context, change, { ...options, replan }));
  const { live, error } = outcome;
  if (live !== undefined && (error === undefined || requestOf(live) === request)) {
    creations.answered(request);
    return outcome;
  }
  if (live !== undefined || isCode(error, ...refusals)) await creations.end(request); // no record came of it
  if (live === undefined || error?.code !== 'plan.stale') return { ...outcome, live: undefined };
  const isOurs = ownerOf(live.record) === context.owner;
  const why = isOurs ? heldElsewhere(changed, live, await states.holderOf(live.uid)) : taken(changed, live);
  return { ...outcome, live: undefined, error: why };
}

/** After which it is certain that nothing was written. */
const refusals = ['api.invalid', 'api.forbidden', 'api.unauthorized', 'api.not-found'] as const;

/** The request that has created the record; undefined: none of this provider. */
export function requestOf({ record }: Pick<LiveResource, 'record'>): string | undefined {
  const [by, request] = (stringAt(objectAt(record, 'tags'), appliedTag) ?? '').split(';');
  return by === creator ? request : undefined;
}

const creator = 'terraform';

/** Names the request. It is no record of what was applied: that is in the state of Terraform. */
function appliedBy(request: string): string {
  return `${creator};${request}`;
}

function withTags(body: JsonObject, owner: string, request: string): JsonObject {
  return { ...body, tags: { ...objectAt(body, 'tags'), [ownerTag]: owner, [appliedTag]: appliedBy(request) } };
}
