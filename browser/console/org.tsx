import type { VNode } from 'preact';
import { type JsonObject, listAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import {
  creatableKinds,
  isContainer,
  isGvcScoped,
  isOfWorkload,
  isOrg,
  readOnlyKinds,
} from '../../src/schema/record/kinds.ts';
import { Shown } from '../live/shown.tsx';
import { useLive } from '../live/useLive.ts';
import { counted, Text } from '../report/parts/text.tsx';
import { addressOf, gvcOf, type Place } from './address.ts';
import { manyOf } from './list.tsx';
import { HealthCounts, linkOfRecord, RecordLink } from './rows.tsx';

/** The kinds of an org with their own lists, outside of GVCs. */
const ofOrg = [...creatableKinds, ...readOnlyKinds].filter(
  (kind) => !isGvcScoped(kind) && !isContainer(kind) && !isOrg(kind) && !isOfWorkload(kind),
);

/** An org: its GVCs with their content, and its other records. */
export function OrgView({ place: { link, name } }: { readonly place: Place }): VNode {
  const live = useLive(link, async (api, signal) => {
    const [gvcs, workloads, volumesets] = await Promise.all(
      ['gvc', 'workload', 'volumeset'].map((kind) => api.list(`${link}/${kind}`, signal)),
    );
    return { gvcs, workloads, volumesets };
  });
  return (
    <>
      <h1>
        <Text of={name} />
      </h1>
      <section class="panel" aria-labelledby="gvcs-title">
        <h2 id="gvcs-title">GVCs</h2>
        <Shown of={live}>
          {({ gvcs, workloads, volumesets }) => (
            <>
              <ul class="rows">
                {gvcs?.items.map((gvc) => (
                  <GvcRow
                    key={stringAt(gvc, 'name')}
                    gvc={gvc}
                    workloads={inGvc(workloads?.items ?? [], gvc)}
                    volumesets={inGvc(volumesets?.items ?? [], gvc)}
                  />
                ))}
              </ul>
              {gvcs?.items.length === 0 && <p class="hint">There are none.</p>}
              {[gvcs, workloads, volumesets].some((list) => list?.more) && (
                <p class="hint">There is more than is counted here: of each kind, the first 1,000.</p>
              )}
            </>
          )}
        </Shown>
      </section>
      <nav class="panel" aria-labelledby="others-title">
        <h2 id="others-title">Other records</h2>
        <ul class="kinds">
          {ofOrg.map((kind) => (
            <li key={kind}>
              <a href={addressOf(`${link}/${kind}`)}>{manyOf(kind)}</a>
            </li>
          ))}
          <li>
            <a href={addressOf(`/org/${encodeURIComponent(name)}`, 'trail')}>Audit trail</a>
          </li>
        </ul>
      </nav>
    </>
  );
}

function inGvc(records: readonly JsonObject[], gvc: JsonObject): readonly JsonObject[] {
  const name = stringAt(gvc, 'name');
  return records.filter((record) => gvcOf(linkOfRecord(record)) === name);
}

interface GvcRowProps {
  readonly gvc: JsonObject;
  readonly workloads: readonly JsonObject[];
  readonly volumesets: readonly JsonObject[];
}

function GvcRow({ gvc, workloads, volumesets }: GvcRowProps): VNode {
  const places = listAt(objectAt(objectAt(gvc, 'spec'), 'staticPlacement'), 'locationLinks').length;
  return (
    <li>
      <RecordLink to={linkOfRecord(gvc)}>
        <strong>
          <Text of={stringAt(gvc, 'name') ?? ''} />
        </strong>
      </RecordLink>
      <HealthCounts of={workloads} />
      <span class="brief">
        {[
          counted(workloads.length, 'workload'),
          counted(volumesets.length, 'volume set'),
          counted(places, 'location'),
        ].join(' · ')}
      </span>
    </li>
  );
}
