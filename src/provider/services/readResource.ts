import { compact, present } from '../../base/json/present.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { withAllTags, writeOnly } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue, textAt } from '../../hcl/value.ts';
import { stateOf } from '../../hcl/values/stateOf.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { ownerOf } from '../../manifest/model/ownTags.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { declaredTwice, readingOf } from '../changes/changeContext.ts';
import { requestOf } from '../changes/runChange.ts';
import { withoutOthersRoutes } from '../plan/routes.ts';
import { composed } from '../platform/composed.ts';
import { importedApart, shownApart, withoutIgnoredTags } from '../platform/defaultTags.ts';
import { diagnosticMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject, writeObject } from '../protocol/values.ts';
import { hiddenChange, isNewer, privateOf, readPrivate, writePrivate } from './privateState.ts';
import type { ProviderSession } from './providerSession.ts';
import { isImported, refOfState, requireOwnOrg } from './state.ts';
import { resourceTypeNamed } from './types.ts';

/** The current resource; no state if it is deleted. */
export async function readResource(
  session: ProviderSession,
  { type_name: type, current_state: current, private: own }: RequestOf<'ReadResource'>,
): Promise<ResponseOf<'ReadResource'>> {
  const resource = resourceTypeNamed(type);
  const hidden = hiddenField(resource.kind);
  const state = readObject(current, resource.attributes);
  const ref = state === undefined ? undefined : refOfState(resource, state, session.settings.gvc);
  if (state === undefined || ref === undefined) return { new_state: writeObject(undefined, resource.attributes) };

  requireOwnOrg(session, resource, state);
  const { client, records } = await session.platform();
  const uid = textAt(state, 'id');
  const before = readPrivate(own);
  const live = await records.read({
    ref,
    uid,
    version: before.version,
    // Hidden values in the state must be compared; others (write-only, imported) are not read.
    reveal: hasHidden(state),
  });
  session.log('debug', live === undefined ? `${formatRef(ref)} is gone` : `read ${formatRef(ref)}`, {
    resource: formatRef(ref),
    id: live?.uid,
    version: live?.version,
  });
  if (live === undefined) return { new_state: writeObject(undefined, resource.attributes) };
  const request = requestOf(live);
  if (request !== undefined) await session.creations.end(request); // a state has it
  if (!session.handled.noteInState(live.uid, live.version)) throw declaredTwice(ref);
  session.handled.noteOwner(live.uid, ownerOf(live.record));
  const record = withoutOthersRoutes(
    resource.kind,
    withoutIgnoredTags(composed(live.record), session.settings.ignoredTags),
    isImported(own) ? undefined : state,
  );
  const { defaultTags } = session.settings;
  const { stored } = before;
  const value = stateOf(resource.kind, record, {
    ...readingOf(client, { kind: resource.kind, ref, stored }, record),
    ...present({ hint: isImported(own) ? undefined : withAllTags(state) }),
  });
  const shown = isImported(own) ? importedApart(value, defaultTags) : shownApart(value, attributeOf(state, 'tags'));
  const now = { ...privateOf(live), stored };
  const rewritten = attributeOf(state, writeOnly.version) === null ? undefined : hiddenChange(before, now);
  const drifted = rewritten === 'certain' ? { ...shown, [writeOnly.version]: null } : shown;
  return {
    new_state: writeObject(isImported(own) ? withoutHidden(shown) : drifted, resource.attributes),
    private: own === undefined || isNewer(before, now) ? writePrivate(now) : own,
    diagnostics: compact([
      uid === undefined || uid === live.uid ? undefined : anotherRecord(ref, uid, live.uid),
      rewritten === undefined ? undefined : hiddenWrite(ref, rewritten),
    ]).map((each) => diagnosticMessage(each)),
  };

  function hasHidden(of: ObjectValue): boolean {
    return hidden !== undefined && (of[hidden] ?? null) !== null;
  }

  /** A configuration without the block keeps the value of a secret. */
  function withoutHidden(of: ObjectValue): ObjectValue {
    return hidden === undefined ? of : { ...of, [hidden]: null };
  }
}

function anotherRecord(ref: Ref, before: string, now: string): Diagnostic {
  return {
    severity: 'warning',
    summary: `${formatRef(ref)} is another record than before`,
    detail:
      `It had the id ${before}, and now has ${now}: somebody has deleted it and created one with the same name. From now ` +
      'on this resource is the new one.',
  };
}

function hiddenWrite(ref: Ref, isIt: 'certain' | 'possible'): Diagnostic {
  const id = formatRef(ref);
  const newer = 'The record has a newer version than the one that was written here';
  const [summary, detail] =
    isIt === 'certain'
      ? [
          `The value of ${id} was written by somebody else`,
          `${newer}, and nothing else in it differs. The plan shows ${writeOnly.version} as added, and the apply writes ` +
            `${writeOnly.data} again.`,
        ]
      : [
          `The value of ${id} may have been written by somebody else`,
          `${newer}, and its tags or its description differ too. To write ${writeOnly.data} again, raise ${writeOnly.version}.`,
        ];
  return { severity: 'warning', summary, detail };
}
