import type { Change } from '../../plan/model/change.ts';
import { appliedTag, ownerTag } from '../../plan/record/ownership.ts';
import { type JsonObject, objectAt, own } from '../../schema/json/json.ts';
import type { ObjectValue } from '../../terraform/model/value.ts';
import { creationOf } from '../../terraform/plan/patchFor.ts';
import { resourceType } from '../../terraform/schema/typeNames.ts';
import type { ChangeContext, Changed } from './changeContext.ts';
import { taken } from './changeErrors.ts';
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
  const outcome = await runChange(context, change, options);
  const { live, error } = outcome;
  if (error === undefined || live === undefined) return outcome;
  const tags = objectAt(live.record, 'tags');
  if (own(tags, appliedTag) === appliedBy(request)) return outcome;
  if (error.code !== 'plan.stale') return { ...outcome, live: undefined };
  const isOurs = own(tags, ownerTag) === context.owner;
  return { ...outcome, live: undefined, error: taken(resourceType(changed.kind), changed, live, isOurs) };
}

/** Names the request. It is no record of what was applied: that is in the state of Terraform. */
function appliedBy(request: string): string {
  return `terraform;${request}`;
}

function withTags(body: JsonObject, owner: string, request: string): JsonObject {
  return { ...body, tags: { ...objectAt(body, 'tags'), [ownerTag]: owner, [appliedTag]: appliedBy(request) } };
}
