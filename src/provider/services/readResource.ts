import { type ObjectValue, textAt } from '../../hcl/value.ts';
import { stateOf } from '../../hcl/values/stateOf.ts';
import { ownerOf } from '../../manifest/model/ownTags.ts';
import { hiddenField } from '../../schema/facts/kindFacts.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { declaredTwice } from '../changes/changeErrors.ts';
import { requestOf } from '../changes/create.ts';
import { composed } from '../platform/composed.ts';
import { diagnosticMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject, writeObject } from '../protocol/values.ts';
import { readPrivate, writePrivate } from './privateState.ts';
import type { ProviderSession } from './providerSession.ts';
import { isImported, refOfState, requireOwnOrg } from './state.ts';
import { resourceTypeNamed } from './types.ts';

/** The resource as it is now; no state where it is gone. */
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
  const { version: seen } = readPrivate(own);
  const live = await records.read({
    ref,
    uid,
    version: seen,
    // What is in the state has to be compared; what is not there, as it is write-only or imported, is not asked for.
    reveal: hasHidden(state),
  });
  if (live === undefined) return { new_state: writeObject(undefined, resource.attributes) };
  const request = requestOf(live);
  if (request !== undefined) await session.creations.end(request); // a state has it
  if (!session.handled.hasInState(live.uid, live.version)) throw declaredTwice(ref);
  session.handled.hasOwner(live.uid, ownerOf(live.record));
  const value = stateOf(resource.kind, composed(live.record), {
    org: client.org,
    ...(ref.gvc === undefined ? {} : { gvc: ref.gvc }),
    ...(isImported(own) ? {} : { hint: state }),
  });
  return {
    new_state: writeObject(isImported(own) ? withoutHidden(value) : value, resource.attributes),
    private: own === undefined || seen === undefined ? writePrivate({ version: live.version }) : own, // another one would be a difference
    ...(uid === undefined || uid === live.uid
      ? {}
      : {
          diagnostics: [
            diagnosticMessage({
              severity: 'warning',
              summary: `${formatRef(ref)} is another record than before`,
              detail:
                `It had the id ${uid}, and now has ${live.uid}: somebody has deleted it and created one with the same ` +
                'name. From now on this resource is the new one.',
            }),
          ],
        }),
  };

  function hasHidden(of: ObjectValue): boolean {
    return hidden !== undefined && (of[hidden] ?? null) !== null;
  }

  /** The configuration may leave the value of a secret as it is, and says so by leaving out the block. */
  function withoutHidden(of: ObjectValue): ObjectValue {
    return hidden === undefined ? of : { ...of, [hidden]: null };
  }
}
